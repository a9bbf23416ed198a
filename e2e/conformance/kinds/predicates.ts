/** Replays predicates vectors against core/informer/predicates. */
import type { HandlerEvent } from '../../../core/informer/handlers/event.ts';
import { parseLabelSelector } from '../../../core/informer/predicates/labelSelector.ts';
import {
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelectorPredicate,
  not,
  or,
  type Predicate,
  resourceVersionChanged,
} from '../../../core/informer/predicates/predicates.ts';
import type { ObjectMeta } from '../../../shared/model/kube.ts';
import type { Mismatch } from '../mismatch.ts';

interface Line {
  readonly id: string;
  readonly old: Partial<ObjectMeta>;
  readonly new: Partial<ObjectMeta>;
  readonly passes: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
}

/** Inside And(…) the generator names its one selector without repeating it. */
const namedSelector = 'app=x,tier notin (db)';

export function replay(raw: unknown): readonly Mismatch[] {
  const line = raw as Line;
  const old = { metadata: line.old };
  const object = { metadata: line.new };
  const events: Readonly<Record<string, HandlerEvent>> = {
    create: { kind: 'create', object, isInInitialList: false },
    update: { kind: 'update', old, object },
    delete: { kind: 'delete', object },
    generic: { kind: 'generic', object },
  };
  const mismatches: Mismatch[] = [];
  for (const [name, passes] of Object.entries(line.passes)) {
    const predicate = parsePredicate(name);
    for (const [kind, expected] of Object.entries(passes)) {
      const event = events[kind];
      if (event === undefined) throw new Error(`unknown event ${kind}`);
      const got = predicate(event);
      if (got !== expected) mismatches.push({ id: line.id, what: `${name} on ${kind}`, expected, got });
    }
  }
  return mismatches;
}

function parsePredicate(name: string): Predicate {
  const call = /^(\w+)(?:\((.*)\))?$/s.exec(name.trim());
  if (call === null) throw new Error(`not a predicate: ${name}`);
  const inner = call[2] ?? '';
  switch (call[1]) {
    case 'And':
      return and(...splitArguments(inner).map(parsePredicate));
    case 'Or':
      return or(...splitArguments(inner).map(parsePredicate));
    case 'Not':
      return not(parsePredicate(inner));
    case 'ResourceVersionChanged':
      return resourceVersionChanged;
    case 'GenerationChanged':
      return generationChanged;
    case 'LabelChanged':
      return labelChanged;
    case 'AnnotationChanged':
      return annotationChanged;
    case 'LabelSelector': {
      const matcher = parseLabelSelector(inner === '' ? namedSelector : inner);
      if (!matcher.ok) throw new Error(matcher.error);
      return labelSelectorPredicate(matcher.value);
    }
    default:
      throw new Error(`unknown predicate ${name}`);
  }
}

function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const char = text[i];
    if (char === '(') depth++;
    else if (char === ')') depth--;
    else if ((char === ',' || char === undefined) && depth === 0) {
      if (i > start) parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return parts;
}

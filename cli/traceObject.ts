/** The object that --object names, and the runs that concern it: those of its own key, or those that touched it. */
import type { EngineSession } from '../core/engine/engineSession.ts';
import { err, ok, type Result } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import { type ObjectKey, objectKey, parseObjectKey, reconcileKey } from '../shared/model/ids.ts';
import type { Span } from '../shared/model/trace.ts';
import type { Target } from './target.ts';
import { subjectOf } from './traceJson.ts';

export interface NamedObject {
  readonly key: ObjectKey;
  /** `Kind/namespace/name`. */
  readonly subject: string;
  /** The keys it stands for: its own, where it is of a reconciled kind, else those of the object that controls it. */
  readonly reconciled: readonly { readonly controller: string; readonly key: string }[];
}

/** Names of objects told when one is not there. */
const namesShown = 8;

/** `Kind/namespace/name`, `Kind/name` or `Kind/-/name` of a cluster-scoped object; the kind may be a resource's name. */
export function findObject(
  target: Pick<Target, 'session' | 'operator'>,
  text: string,
  spans: readonly Span[],
): Result<NamedObject, Problem> {
  const parts = text.split('/');
  const [kindName = '', second = '', third] = parts;
  const name = third ?? second;
  const namespace = third === undefined || second === '-' ? '' : second;
  if (parts.length > 3 || parts.length < 2 || kindName === '' || name === '')
    return wrong(`--object is Kind/namespace/name, as in Deployment/shop/orders; "${text}" is none.`);
  const { session } = target;
  const kinds = kindsCalled(session, kindName);
  const keys = kinds.map(({ group, kind }) => objectKey({ group, kind, namespace, name }));
  const key = keys.find((one) => isKnown(session, one, spans));
  if (key === undefined) return wrong(notThere(target, text, kindName, kinds));
  return ok({ key, subject: subjectOf(key), reconciled: reconciledBy(target, key) });
}

function wrong(message: string): Result<never, Problem> {
  return err({ code: 'target-object', message });
}

interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

function kindsCalled(session: EngineSession, name: string): readonly GroupKind[] {
  const lower = name.toLowerCase();
  const found = new Map<string, GroupKind>();
  const add = ({ group, kind }: GroupKind) => void found.set(`${group}/${kind}`, { group, kind });
  for (const resource of session.watching.resolve(name)) add(resource);
  for (const { fact } of session.index.all())
    if (fact.kind.toLowerCase() === lower || `${fact.kind}.${fact.group}`.toLowerCase() === lower) add(fact);
  return [...found.values()];
}

function isKnown(session: EngineSession, key: ObjectKey, spans: readonly Span[]): boolean {
  return session.index.get(key) !== undefined || spans.some((span) => touches(span, key));
}

/** It is the object of the run's key, woke it, or was written by it. */
export function touches(span: Span, key: ObjectKey): boolean {
  return (
    span.object === key ||
    span.triggerList.some(({ object }) => object === key) ||
    span.writeList.some(({ object }) => object === key)
  );
}

/** Along controller references up to an object of a reconciled kind. */
function reconciledBy(
  { session, operator }: Pick<Target, 'session' | 'operator'>,
  from: ObjectKey,
): NamedObject['reconciled'] {
  const seen = new Set<ObjectKey>();
  for (
    let key: ObjectKey | undefined = from;
    key !== undefined && !seen.has(key);
    key = ownerOf(session, key)
  ) {
    seen.add(key);
    const { group, kind, namespace, name } = parseObjectKey(key);
    const own = operator.controllers.filter((controller) => {
      const [main] = session.watching.resolve(controller.for.value);
      return main?.group === group && main.kind === kind;
    });
    if (own.length > 0)
      return own.map((controller) => ({ controller: controller.name, key: reconcileKey(namespace, name) }));
  }
  return [];
}

function ownerOf(session: EngineSession, key: ObjectKey): ObjectKey | undefined {
  const fact = session.index.get(key)?.fact;
  const owner = fact?.meta.ownerReferences?.find(({ controller }) => controller === true);
  if (fact === undefined || owner === undefined) return undefined;
  const slash = owner.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : owner.apiVersion.slice(0, slash);
  // An owner is in the same namespace, or of the cluster.
  const namespaced = objectKey({ group, kind: owner.kind, namespace: fact.namespace, name: owner.name });
  if (session.index.get(namespaced) !== undefined) return namespaced;
  return objectKey({ group, kind: owner.kind, namespace: '', name: owner.name });
}

function notThere(
  { session, operator }: Pick<Target, 'session' | 'operator'>,
  text: string,
  kindName: string,
  kinds: readonly GroupKind[],
): string {
  const names = Array.from(session.index.all(), ({ fact }) => fact)
    .filter((fact) => kinds.some(({ group, kind }) => fact.group === group && fact.kind === kind))
    .map(({ key }) => subjectOf(key))
    .sort();
  if (names.length > 0) {
    const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : '';
    return `There is no ${text} here. There are: ${names.slice(0, namesShown).join(', ')}${more}.`;
  }
  const own = operator.controllers.map((controller) => controller.for.value).join(', ');
  return `There is no ${kindName} here, so no ${text}. ${operator.name} reconciles ${own}.`;
}

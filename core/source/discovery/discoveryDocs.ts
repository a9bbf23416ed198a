/** The documents of discovery, aggregated and legacy, as far as we read them. Whatever else they hold is passed over. */
import { asText, fieldsOf } from '../../../shared/base/json.ts';
import type { ApiResource } from '../../../shared/model/resource.ts';
import type { DiscoveryProblem } from './discovery.ts';

export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ApiResource[];
}

/** undefined: this is no aggregated document, the server does not know the form. */
export function parseAggregated(
  body: unknown,
):
  | { readonly versions: readonly ServedVersion[]; readonly problems: readonly DiscoveryProblem[] }
  | undefined {
  const document = fieldsOf(body);
  if (document.kind !== 'APIGroupDiscoveryList') return undefined;
  const versions: ServedVersion[] = [];
  const problems: DiscoveryProblem[] = [];
  for (const item of asList(document.items)) {
    const group = asText(fieldsOf(fieldsOf(item).metadata).name);
    for (const entry of asList(fieldsOf(item).versions)) {
      const one = fieldsOf(entry);
      const version = asText(one.version);
      if (!isGroup(group) || !isVersion(version)) continue;
      if (one.freshness === 'Stale') {
        const groupVersion = group === '' ? version : `${group}/${version}`;
        problems.push({
          groupVersion,
          message: `The API ${groupVersion} does not answer: what the server says of it is from earlier.`,
        });
      }
      const resources = asList(one.resources).map((resource) =>
        aggregatedResource(group, version, fieldsOf(resource)),
      );
      versions.push({ group, version, resources: resources.filter((resource) => resource !== undefined) });
    }
  }
  return { versions, problems };
}

/** Groups and versions of `/api` or `/apis`, the preferred version of a group first. */
export function parseGroups(root: '/api' | '/apis', body: unknown): { group: string; version: string }[] {
  if (root === '/api') {
    const versions = asTexts(fieldsOf(body).versions);
    return versions.filter(isVersion).map((version) => ({ group: '', version }));
  }
  return asList(fieldsOf(body).groups).flatMap((item) => {
    const group = fieldsOf(item);
    const name = asText(group.name);
    const first = asText(fieldsOf(group.preferredVersion).version);
    const versions = asList(group.versions).map((one) => asText(fieldsOf(one).version));
    const ordered = [first, ...versions.filter((version) => version !== first)];
    if (name === '' || !isGroup(name)) return [];
    return ordered.filter(isVersion).map((version) => ({ group: name, version }));
  });
}

/** An APIResourceList; subresources are joined to their resource. */
export function parseResources(group: string, version: string, body: unknown): ApiResource[] {
  const entries = asList(fieldsOf(body).resources).map(fieldsOf);
  const subresources = new Map<string, string[]>();
  for (const entry of entries) {
    const [resource = '', sub] = asText(entry.name).split('/');
    if (sub !== undefined) subresources.set(resource, [...(subresources.get(resource) ?? []), sub]);
  }
  return entries.flatMap((entry) => {
    const resource = asText(entry.name);
    const kind = asText(entry.kind);
    if (kind === '' || !isName(resource)) return [];
    return [
      {
        group,
        version,
        resource,
        kind,
        namespaced: entry.namespaced === true,
        verbs: asTexts(entry.verbs),
        subresources: subresources.get(resource) ?? [],
      },
    ];
  });
}

function aggregatedResource(
  group: string,
  version: string,
  entry: Readonly<Record<string, unknown>>,
): ApiResource | undefined {
  const resource = asText(entry.resource);
  const kind = asText(fieldsOf(entry.responseKind).kind);
  // A resource without a kind only carries subresources.
  if (kind === '' || !isName(resource)) return undefined;
  return {
    group,
    version,
    resource,
    kind,
    namespaced: entry.scope === 'Namespaced',
    verbs: asTexts(entry.verbs),
    subresources: asList(entry.subresources).map((sub) => asText(fieldsOf(sub).subresource)),
  };
}

/** Names become parts of paths: what the API server would not serve is passed over, and the transport would refuse it. */
function isName(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text);
}

/** '' is the core group. */
function isGroup(text: string): boolean {
  return text === '' || isName(text);
}

/** A DNS label: a CRD need not call its versions v1. */
function isVersion(text: string): boolean {
  return /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asTexts(value: unknown): string[] {
  return asList(value).filter((item) => typeof item === 'string');
}

import { z } from 'zod';
import { type GroupResource, groupResource } from './ids.ts';

/** One served resource, from discovery. `verbs` and `subresources` are what the server offers, not what we may do. */
export const zApiResource = z.object({
  group: z.string(),
  version: z.string(),
  resource: z.string(),
  kind: z.string(),
  namespaced: z.boolean(),
  verbs: z.array(z.string()).readonly(),
  subresources: z.array(z.string()).readonly(),
});
export type ApiResource = Readonly<z.infer<typeof zApiResource>>;

export function resourceName(resource: Pick<ApiResource, 'group' | 'resource'>): GroupResource {
  return groupResource(resource.group, resource.resource);
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(resource: Pick<ApiResource, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

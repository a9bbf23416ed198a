/** What the user corrects in the app: each edit is a record; the profile is the guess with all edits applied, in order. */
import type { ProfileEdit } from '../../shared/contract/views/operators.ts';
import {
  type ControllerProfile,
  type OperatorProfile,
  zControllerProfile,
  zOperatorProfile,
} from '../../shared/model/profile.ts';
import { type ApiResource, resourceName } from '../../shared/model/resource.ts';
import { serviceAccountIdentity } from '../rbac/authorizer.ts';
import { edited } from './known.ts';
import { controllerFor } from './localOperator.ts';
import { resolveResource } from './resourceNames.ts';

export interface EditedProfile {
  readonly profile: OperatorProfile;
  /** One sentence for each edit that could not be applied, or names what the cluster does not serve. */
  readonly problems: readonly string[];
}

const whySet = 'You set this.';

/** Later edits win. An edit that does not fit is left out and told. `for` of a controller that is not there adds it. */
export function applyEdits(
  profile: OperatorProfile,
  edits: readonly ProfileEdit[],
  resources: readonly ApiResource[] = [],
): EditedProfile {
  const problems: string[] = [];
  let result = profile;
  for (const edit of edits) {
    const next =
      edit.controller === undefined ? editOperator(result, edit) : editController(result, edit, resources);
    if (typeof next === 'string') problems.push(next);
    else {
      result = next.profile;
      problems.push(...next.problems);
    }
  }
  return { profile: result, problems };
}

/** A whole new profile, or why not. */
type Edited = EditedProfile | string;

function editOperator(profile: OperatorProfile, edit: ProfileEdit): Edited {
  if (edit.field === 'serviceAccount') {
    const parts = typeof edit.value === 'string' ? edit.value.split('/') : [];
    const name = parts.at(-1);
    const namespace = parts.length === 2 ? parts[0] : profile.namespace;
    if (name === undefined || name === '' || namespace === undefined || namespace === '' || parts.length > 2)
      return 'serviceAccount is written namespace/name.';
    const identity = edited(serviceAccountIdentity(namespace, name), whySet);
    return { profile: { ...profile, identity }, problems: [] };
  }
  if (edit.field === 'fieldManagers') {
    const parsed = zOperatorProfile.shape.fieldManagers.shape.value.safeParse(edit.value);
    if (!parsed.success) return 'fieldManagers is a list of names.';
    return { profile: { ...profile, fieldManagers: edited(parsed.data, whySet) }, problems: [] };
  }
  return `${edit.field} belongs to a controller; the edit names none.`;
}

function editController(
  profile: OperatorProfile,
  edit: ProfileEdit,
  resources: readonly ApiResource[],
): Edited {
  const { field } = edit;
  if (field === 'serviceAccount' || field === 'fieldManagers')
    return `${field} belongs to the operator, not to a controller.`;
  const name = edit.controller ?? '';
  const index = profile.controllers.findIndex((controller) => controller.name === name);
  const before = profile.controllers[index];
  if (before === undefined && (field !== 'for' || typeof edit.value !== 'string'))
    return `There is no controller ${name}.`;
  const base = before ?? { ...controllerFor(String(edit.value), resources), name };
  const parsed = zControllerProfile.shape[field].shape.value.safeParse(edit.value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const at = issue === undefined || issue.path.length === 0 ? '' : `.${issue.path.join('.')}`;
    return `${field}${at} of controller ${name}: ${issue?.message ?? 'not a valid value'}.`;
  }
  const problems: string[] = [];
  const value = resolveNames(field, parsed.data, resources, problems);
  const after: ControllerProfile = { ...base, [field]: edited(value, whySet) };
  const controllers =
    before === undefined
      ? [...profile.controllers, after]
      : profile.controllers.map((controller, at) => (at === index ? after : controller));
  return { profile: { ...profile, controllers }, problems };
}

/** Resource names in the form `resource.group`; what is not served stays as written and is told. */
function resolveNames(
  field: string,
  value: unknown,
  resources: readonly ApiResource[],
  problems: string[],
): unknown {
  const full = (name: string) => fullName(name, resources, problems);
  if (field === 'for') return full(value as string);
  if (field === 'owns') return (value as readonly string[]).map(full);
  if (field === 'watches')
    return (value as readonly { resource: string; maps: string }[]).map((watch) => ({
      ...watch,
      resource: full(watch.resource),
    }));
  return value;
}

/** `resource.group` of what a person wrote; as written, with a problem, when discovery is there and does not know it. */
export function fullName(name: string, resources: readonly ApiResource[], problems: string[]): string {
  const resource = resolveResource(name, resources);
  if (resource !== undefined) return resourceName(resource);
  if (resources.length > 0) problems.push(`${name} is not served by this cluster; it is kept as written.`);
  return name;
}

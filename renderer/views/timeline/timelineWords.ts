/** What the Timeline shows first, and of which key an object is. */
import type { ObjectRefView } from '../../../shared/contract/views/objects.ts';
import type { InformerRow } from '../../../shared/contract/views/sources.ts';
import type { ControllerProfile } from '../../../shared/model/profile.ts';
import type { RbacRow } from '../../../shared/model/rbac.ts';
import type { HistoryMode } from '../../state/windowState.ts';

/** A version alone has nothing to be compared with: its YAML opens, until the user asks for a mode. */
export function modeShown(mode: HistoryMode, versions: number, asked: boolean): HistoryMode {
  return mode === 'diff' && versions === 1 && !asked ? 'yaml' : mode;
}

/** The controller whose key the object is; `informers` know the resource of a kind. The preferred one wins a tie. */
export function controllerOf(
  object: Pick<ObjectRefView, 'group' | 'kind'>,
  informers: readonly Pick<InformerRow, 'group' | 'kind' | 'resource'>[],
  controllers: readonly ControllerProfile[],
  preferred: string | undefined,
): ControllerProfile | undefined {
  const served = informers.find((row) => row.group === object.group && row.kind === object.kind);
  if (served === undefined) return undefined;
  const name = served.group === '' ? served.resource : `${served.resource}.${served.group}`;
  const all = controllers.filter((controller) => controller.for.value === name);
  return all.find((controller) => controller.name === preferred) ?? all[0];
}

/** The gap of the lens on a resource (`databases.db.example.com`) or a subresource of it: most refusals first. */
export function gapOn(resource: string, rows: readonly RbacRow[]): RbacRow | undefined {
  const gaps = rows.filter(
    (row) =>
      row.gap !== undefined &&
      (row.apiGroup === '' ? row.resource : `${row.resource}.${row.apiGroup}`) === resource,
  );
  return gaps.sort((a, b) => (b.gap?.refusals ?? 0) - (a.gap?.refusals ?? 0))[0];
}

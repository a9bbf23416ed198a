/**
 * Fields of the Events filter (grammar: shared/model/filter.ts). In shared, because the engine filters and the window
 * explains. An Event has two objects: itself and what it regards; a field finds it by either.
 */
import type { FilterSchema } from '../../model/filter.ts';
import type { EventRow, ObjectRefView } from './objects.ts';

export const eventSchema: FilterSchema<EventRow> = {
  fields: [
    { name: 'kind', kind: 'word', of: (row) => objectsOf(row).map(({ kind }) => kind), example: 'Database' },
    {
      name: 'ns',
      also: ['namespace'],
      kind: 'text',
      of: (row) => objectsOf(row).map(({ namespace }) => namespace),
      example: 'shop',
    },
    { name: 'name', kind: 'text', of: (row) => objectsOf(row).map(({ name }) => name), example: 'orders' },
    // As it stands on screen: that an Event was added says nothing of what it is about.
    {
      name: 'op',
      kind: 'word',
      of: (row) => (row.type === 'event' ? 'event' : row.op),
      example: 'deleted',
    },
    {
      name: 'writer',
      kind: 'text',
      of: ({ writer }) =>
        writer === undefined ? undefined : `${writer.manager} ${writer.subresource ?? ''}`,
      example: 'helm',
    },
    {
      name: 'type',
      kind: 'text',
      of: (row) => (row.warning ? `${row.type} warning` : row.type),
      example: 'warning',
    },
    { name: 'rv', kind: 'word', of: (row) => row.resourceVersion, example: '482044' },
    { name: 'record', kind: 'number', of: (row) => row.seq, example: '158090' },
  ],
  text: (row) => [
    ...objectsOf(row).map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`),
    row.op,
    row.writer?.manager,
    row.summary,
  ],
};

function objectsOf(row: EventRow): readonly ObjectRefView[] {
  return [row.about, row.object].filter((object) => object !== undefined);
}

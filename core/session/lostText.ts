/** For stats().health: records whose text could not be kept while nothing could be written. None: nothing to say. */
export function lostTextHealth(records: number): readonly string[] {
  return records === 0
    ? []
    : [`The text of ${records} records was not kept: nothing could be written for too long.`];
}

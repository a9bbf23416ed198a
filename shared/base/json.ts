/** Reading JSON whose shape nobody promised. */

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value as an object with fields; undefined for anything else, arrays included. */
export function asRecord(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonRecord)
    : undefined;
}

/** The same for reading through: what is no object has no fields. */
export function fieldsOf(value: unknown): JsonRecord {
  return asRecord(value) ?? noFields;
}

/** One for all: it is asked for several times an event. */
const noFields: JsonRecord = Object.freeze({});

/** The value where it is a string, else ''. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The parsed text; undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

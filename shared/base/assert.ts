/** Throws when `condition` is false: the program is wrong, not the input. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Marks a switch as exhaustive: the compiler refuses a missing case, the runtime names the value. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}

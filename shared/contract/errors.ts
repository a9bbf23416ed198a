/**
 * Failures of the contract itself. What a user can act on (unreachable, forbidden …) is never one of these: it is part
 * of a method's result, `{ ok: false, problem }`. These are bugs of one end, a cancel, or the end of the connection.
 */
import { z } from 'zod';

export const zContractErrorCode = z.enum([
  /** The caller sent parameters that the table refuses. */
  'invalid-params',
  /** The engine produced something that the table refuses. */
  'invalid-result',
  /** No such method, value or table: the two ends are of different versions. */
  'unknown-name',
  /** The handler threw: a bug in the engine; its stack is in the engine's log, never on the wire. */
  'internal',
  /** The caller's signal aborted. */
  'cancelled',
  /** The connection ended before an answer came. */
  'closed',
  /** A frame number was skipped or repeated; the connection is closed. */
  'gap',
  /** A frame that is not one of ours; the connection is closed. */
  'malformed',
]);
export type ContractErrorCode = z.infer<typeof zContractErrorCode>;

export class ContractError extends Error {
  readonly code: ContractErrorCode;

  constructor(code: ContractErrorCode, message: string) {
    super(message);
    this.name = 'ContractError';
    this.code = code;
  }
}

/** Failures of a request as the Status a Reflector decides by. */
import { fieldsOf } from '../../../shared/base/json.ts';
import type { ApiStatus } from '../listerWatcher.ts';
import type { TransportError } from '../transport.ts';

/** `body` is the answer's text, a Kubernetes Status where the API server itself spoke (a proxy may not). */
export function statusOfAnswer(code: number, body: string, retryAfter?: string): ApiStatus {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    parsed = undefined;
  }
  const status = statusOfObject(parsed, code);
  const seconds = Number(retryAfter);
  if (status.retryAfterMs !== undefined || !(seconds > 0)) return status;
  return { ...status, retryAfterMs: seconds * 1000 };
}

/** A Status object: the body of a failed request, or the object of an ERROR event. */
export function statusOfObject(value: unknown, fallbackCode: number): ApiStatus {
  const status = fieldsOf(value);
  if (status.kind !== 'Status') {
    return { code: fallbackCode, reason: '', causes: [], message: `The server answered ${fallbackCode}.` };
  }
  const details = fieldsOf(status.details);
  const causes = (Array.isArray(details.causes) ? details.causes : []).flatMap((cause: unknown) =>
    [fieldsOf(cause).reason, fieldsOf(cause).message].filter((text) => typeof text === 'string'),
  );
  const code = status.code;
  const reason = status.reason;
  const message = status.message;
  const retry = details.retryAfterSeconds;
  return {
    code: typeof code === 'number' ? code : fallbackCode,
    reason: typeof reason === 'string' ? reason : '',
    causes,
    message: typeof message === 'string' ? message : '',
    ...(typeof retry === 'number' && retry > 0 ? { retryAfterMs: retry * 1000 } : {}),
  };
}

export function statusOfTransport(error: TransportError): ApiStatus {
  const unauthorized = error.code === 'unauthorized';
  return {
    code: unauthorized ? 401 : 0,
    reason: unauthorized ? 'Unauthorized' : error.code,
    causes: [],
    message: error.message,
    ...(error.code === 'refused' ? { connectionRefused: true } : {}),
  };
}

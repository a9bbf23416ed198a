/**
 * What of an audit log never reaches the disk: the bodies of requests and answers. At the levels Request and
 * RequestResponse they are whole objects (data of Secrets and ConfigMaps, tokens that were issued, last-applied
 * configurations), and patches of webhooks stand beside them. Which object it was, and which version, is kept. Source:
 * k8s.io/apiserver pkg/apis/audit/v1, pkg/admission/plugin/webhook/mutating (patch annotations).
 */
import { asRecord } from '../../../shared/base/json.ts';

type Fields = Readonly<Record<string, unknown>>;

const mayHold = /"(?:requestObject|responseObject|patch\.webhook\.admission\.k8s\.io\/[^"]*)"/;
/** Requests whose query is a command, or belongs to whatever is behind the proxy. */
const withQuery = /\/(?:exec|attach|portforward|proxy)\b[^"?]*\?/;
const keptOfMetadata = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'generation'];

/** The line as it may be recorded. One that is no JSON ends where a body begins. */
export function withoutBodies(line: string): string {
  const held = mayHold.exec(line) ?? withQuery.exec(line);
  if (held === null) return line;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line.slice(0, held.index);
  }
  const top = asRecord(value);
  if (top === undefined) return line;
  const cut = Array.isArray(top.items)
    ? { ...top, items: top.items.map((item: unknown) => eventWithout(asRecord(item) ?? {})) }
    : eventWithout(top);
  return JSON.stringify(cut);
}

function eventWithout(event: Fields): Fields {
  const { requestObject, responseObject, ...rest } = event;
  const uri = typeof event.requestURI === 'string' ? event.requestURI : '';
  const annotations = asRecord(event.annotations);
  return {
    ...rest,
    ...(withQuery.test(uri) ? { requestURI: uri.slice(0, uri.indexOf('?')) } : {}),
    ...(annotations === undefined ? {} : { annotations: withoutPatches(annotations) }),
    ...(requestObject === undefined ? {} : { requestObject: identityOf(requestObject) }),
    ...(responseObject === undefined ? {} : { responseObject: identityOf(responseObject) }),
  };
}

function withoutPatches(annotations: Fields): Fields {
  const kept = Object.entries(annotations).filter(([key]) => !key.startsWith('patch.webhook.'));
  return Object.fromEntries(kept);
}

/** Which object a body is of; a Status is an answer in words. */
function identityOf(body: unknown): unknown {
  const object = asRecord(body);
  if (object === undefined) return {};
  if (object.kind === 'Status') return object;
  const metadata = asRecord(object.metadata);
  const kept = keptOfMetadata.flatMap((key) =>
    metadata?.[key] === undefined ? [] : [[key, metadata[key]] as const],
  );
  return {
    ...(object.kind === undefined ? {} : { kind: object.kind }),
    ...(object.apiVersion === undefined ? {} : { apiVersion: object.apiVersion }),
    ...(kept.length === 0 ? {} : { metadata: Object.fromEntries(kept) }),
  };
}

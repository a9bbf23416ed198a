/**
 * The API server's refusal, as it stands in error messages of logs, Events and audit entries:
 *   databases.db.example.com "orders" is forbidden: User "u" cannot update resource "databases/status" in API group
 *   "db.example.com" in the namespace "shop"
 * Source: apiserver pkg/endpoints/handlers/responsewriters/errors.go, forbiddenMessage; before 1.13 the resource stood
 * without quotes, its group behind a dot.
 */

export type Forbidden =
  | {
      readonly kind: 'resource';
      readonly user: string;
      readonly verb: string;
      readonly apiGroup: string;
      readonly resource: string;
      /** Empty for the resource itself. */
      readonly subresource: string;
      /** Empty at the cluster scope. */
      readonly namespace: string;
      readonly name?: string;
      /** What the authorizer added, e.g. a role that was not found. */
      readonly reason?: string;
    }
  | {
      readonly kind: 'url';
      readonly user: string;
      readonly verb: string;
      readonly path: string;
      readonly reason?: string;
    };

const named = /([a-z0-9][\w.-]*)(?: "([^"]*)")? is forbidden: $/i;
const start = /User "([^"]*)" cannot (\w+) /;
const current = /^resource "([^"]+)" in API group "([^"]*)"/;
const old = /^([a-z][\w-]*)((?:\.[\w-]+)*)(\/[\w-]+)?(?= (?:in the namespace|at the cluster scope))/;
const scope = /^ (?:in the namespace "([^"]*)"|at the cluster scope)/;
const path = /^path "([^"]*)"/;
const reasonPart = /^: ([^\n"]*(?:"[^"\n]*"[^\n"]*)*)/;

/** The first refusal in `text`, whatever stands around it, escaped or not; undefined when there is none. */
export function parseForbidden(text: string): Forbidden | undefined {
  if (!text.includes(' cannot ')) return undefined;
  // JSON inside JSON escapes its quotes once or more.
  const plain = text.includes('\\') ? text.replace(/\\+"/g, '"') : text;
  const match = start.exec(plain);
  if (match === null) return undefined;
  const [whole, user = '', verb = ''] = match;
  const rest = plain.slice(match.index + whole.length);

  const url = path.exec(rest);
  if (url !== null)
    return { kind: 'url', user, verb, path: url[1] ?? '', ...reasonOf(rest.slice(url[0].length)) };

  const target = readTarget(rest);
  if (target === undefined) return undefined;
  const where = scope.exec(rest.slice(target.length));
  const name = named.exec(plain.slice(0, match.index))?.[2];
  return {
    kind: 'resource',
    user,
    verb,
    apiGroup: target.apiGroup,
    resource: target.resource,
    subresource: target.subresource,
    namespace: where?.[1] ?? '',
    ...(name === undefined || name === '' ? {} : { name }),
    ...reasonOf(rest.slice(target.length + (where?.[0].length ?? 0))),
  };
}

interface Target {
  readonly apiGroup: string;
  readonly resource: string;
  readonly subresource: string;
  readonly length: number;
}

function readTarget(rest: string): Target | undefined {
  const match = current.exec(rest);
  if (match !== null) {
    const [whole, combined = '', apiGroup = ''] = match;
    const slash = combined.indexOf('/');
    return {
      apiGroup,
      resource: slash < 0 ? combined : combined.slice(0, slash),
      subresource: slash < 0 ? '' : combined.slice(slash + 1),
      length: whole.length,
    };
  }
  const before = old.exec(rest);
  if (before === null) return undefined;
  const [whole, resource = '', group = '', subresource = ''] = before;
  return { apiGroup: group.slice(1), resource, subresource: subresource.slice(1), length: whole.length };
}

function reasonOf(rest: string): { reason?: string } {
  const reason = reasonPart.exec(rest)?.[1]?.trim();
  return reason === undefined || reason === '' ? {} : { reason };
}

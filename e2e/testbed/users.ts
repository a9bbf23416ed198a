import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';

export type UserName = 'admin' | 'viewer' | 'loopscope-user' | 'operator' | 'controller-manager';

/** An identity of the API server's static token file. */
export interface TestbedUser {
  readonly user: string;
  readonly groups: readonly string[];
  readonly token: string;
}

export const operatorServiceAccount = { namespace: 'dbops-system', name: 'database-operator' } as const;

/** Who may speak to the API server. `viewer` and `loopscope-user` hold no grants until a test applies some. */
export function createUsers(randomToken: () => string): Readonly<Record<UserName, TestbedUser>> {
  const { namespace, name } = operatorServiceAccount;
  return {
    admin: { user: 'kubernetes-admin', groups: ['system:masters'], token: randomToken() },
    viewer: { user: 'viewer', groups: [], token: randomToken() },
    'loopscope-user': { user: 'loopscope-user', groups: ['loopscope-users'], token: randomToken() },
    operator: {
      user: `system:serviceaccount:${namespace}:${name}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      token: randomToken(),
    },
    'controller-manager': {
      user: 'system:kube-controller-manager',
      groups: ['system:masters'],
      token: randomToken(),
    },
  };
}

/** The file of `--token-auth-file`: token, user, uid and quoted groups a line. */
export function tokenFile(users: Readonly<Record<UserName, TestbedUser>>): string {
  return Object.values(users)
    .map(({ token, user, groups }) => `${token},${user},${user},"${groups.join(',')}"\n`)
    .join('');
}

/** Writes a self-contained kubeconfig (mode 0600) whose one context is `testbed`. */
export function writeKubeconfig(
  path: string,
  options: { readonly url: string; readonly caPem: string; readonly name: string; readonly token: string },
): void {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'testbed',
    clusters: [
      {
        name: 'testbed',
        cluster: {
          server: options.url,
          'certificate-authority-data': Buffer.from(options.caPem).toString('base64'),
        },
      },
    ],
    users: [{ name: options.name, user: { token: options.token } }],
    contexts: [{ name: 'testbed', context: { cluster: 'testbed', user: options.name } }],
  };
  writeFileSync(path, stringify(config), { mode: 0o600 });
}

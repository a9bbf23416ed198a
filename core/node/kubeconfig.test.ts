import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authOf, type FlatContext, flattenContext } from './kubeconfigFlatten.ts';
import { type Kubeconfig, loadKubeconfig, summariseContexts } from './kubeconfigLoad.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loopscope-kubeconfig-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(dir, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function load(...paths: string[]): Kubeconfig {
  const loaded = loadKubeconfig({ env: paths.join(delimiter), home: dir });
  if (!loaded.ok) throw new Error(loaded.error.message);
  return loaded.value;
}

function flat(config: Kubeconfig, name?: string): FlatContext {
  const result = flattenContext(config, name);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** A kubeconfig with one of each, `fields` being the user's. */
function one(name: string, user: string, cluster = '    server: https://one.test:6443'): string {
  return [
    'apiVersion: v1',
    'kind: Config',
    `current-context: ${name}`,
    'clusters:',
    `- name: ${name}`,
    '  cluster:',
    cluster,
    'users:',
    `- name: ${name}`,
    '  user:',
    user,
    'contexts:',
    `- name: ${name}`,
    `  context: {cluster: ${name}, user: ${name}, namespace: ns-${name}}`,
    '',
  ].join('\n');
}

describe('where files come from', () => {
  test('[KC1] the flag alone, else KUBECONFIG, else the home; each once, empty entries skipped', () => {
    const home = write('.kube/config', one('home', '    token: t'));
    const a = write('a', one('a', '    token: t'));
    const b = write('b', one('b', '    token: t'));
    const tried = (places: { flag?: string; env?: string }) => {
      const loaded = loadKubeconfig({ ...places, home: dir });
      const { files, origin } = loaded.ok ? loaded.value : loaded.error;
      return { origin, files: files.map((file) => file.path) };
    };
    expect(tried({})).toEqual({ origin: 'default', files: [home] });
    expect(tried({ env: '' })).toEqual({ origin: 'default', files: [home] });
    expect(tried({ env: [a, '', b, a].join(delimiter) })).toEqual({ origin: 'environment', files: [a, b] });
    expect(tried({ flag: b, env: a })).toEqual({ origin: 'flag', files: [b] });
  });

  test('[KC2] missing files are passed over while another is there', () => {
    const a = write('a', one('a', '    token: t'));
    const config = load(join(dir, 'none'), a);
    expect(config.files.map((file) => file.state)).toEqual(['missing', 'read']);
    expect(flat(config).name).toBe('a');
  });

  test('[KC3] none there, nothing in it: a sentence each that names the file', () => {
    const none = join(dir, 'none');
    const empty = write('empty', '');
    const bare = write('bare', 'apiVersion: v1\nkind: Config\nclusters: null\ncontexts: []\n');
    const failure = (flag: string) => {
      const loaded = loadKubeconfig({ flag, home: dir });
      return loaded.ok ? undefined : { code: loaded.error.code, message: loaded.error.message };
    };
    expect(failure(none)).toEqual({
      code: 'missing',
      message: `There is no kubeconfig at ${none}. Correct --kubeconfig.`,
    });
    expect(failure(empty)?.code).toBe('empty');
    expect(failure(bare)).toEqual({
      code: 'empty',
      message: `The kubeconfig ${bare} is empty: it names no cluster, user or context.`,
    });
    const home = loadKubeconfig({ home: dir });
    expect(home.ok ? '' : home.error.message).toContain(
      'Create one, or name another with --kubeconfig or KUBECONFIG.',
    );
  });

  test.each([
    ['clusters:\n- name: a\n\tcluster: x\n', 3, 'a tab indents'],
    ['clusters:\n- name: "a\n  cluster: {}\n', undefined, 'is not YAML'],
    ['clusters: {}\n', 1, 'clusters is not what a kubeconfig holds there'],
    ['apiVersion: v1\nclusters:\n- name: a\n  cluster: {}\n- 7\n', 5, 'clusters.1'],
    ['just a sentence', 1, 'the file is not a kubeconfig'],
    ['apiVersion: v2\n', 1, 'apiVersion'],
    ['a: 1\n---\nb: 2\n', 2, 'a second document'],
  ])('[KC4] malformed: file, line and what, never the text (%j)', (text, line, what) => {
    const path = write('bad', `${text}# canary\n`);
    const good = write('good', one('good', '    token: t'));
    const loaded = loadKubeconfig({ env: [path, good].join(delimiter), home: dir });
    if (loaded.ok) throw new Error('loaded');
    expect(loaded.error.code).toBe('malformed');
    expect(loaded.error.message).toContain(`The kubeconfig ${path} is malformed at line ${line ?? ''}`);
    expect(loaded.error.message).toContain(what);
    expect(loaded.error.message).not.toContain('canary');
    expect(loaded.error.files.map((file) => file.state)).toEqual(['malformed', 'read']);
  });

  test('[KC4] a file that cannot be read spoils the whole', () => {
    const good = write('good', one('good', '    token: t'));
    // A directory: root may read any file, and the tests run as root in CI.
    const loaded = loadKubeconfig({ env: [good, dir].join(delimiter), home: dir });
    expect(loaded.ok ? '' : loaded.error.message).toBe(`The kubeconfig ${dir} cannot be read (EISDIR).`);
  });
});

describe('merging', () => {
  test('[KC5] the first file wins per name and for current-context; entries are never mixed', () => {
    const a = write('a', one('x', '    token: first'));
    const b = write(
      'b',
      `${one('x', '    {token: second, as: someone}')}`.replace('current-context: x', 'current-context: y'),
    );
    const c = write(
      'c',
      'current-context: y\ncontexts:\n- name: y\n  context: {cluster: x, user: x}\nusers:\n- name: other\n  user: {}\n',
    );
    const config = load(a, b, c);
    expect([...config.contexts.keys()]).toEqual(['x', 'y']);
    expect(config.currentContext).toBe('x');
    expect(flat(config).user).toEqual({ token: 'first' });
    expect(flat(config, 'y').user.token).toBe('first');
    // The first that sets one, not the first file.
    expect(load(c, a).currentContext).toBe('y');
    expect(
      load(write('unset', one('z', '    token: t').replace(/current-context.*\n/, '')), a).currentContext,
    ).toBe('x');
  });

  test('[KC6] a name twice in one file: the first stays, the second is told', () => {
    const a = write(
      'a',
      one('x', '    token: first').replace('users:', 'users:\n- name: x\n  user: {token: zeroth}'),
    );
    const config = load(a);
    expect(flat(config).user.token).toBe('zeroth');
    expect(config.problems).toEqual([`${a}:11: a second user named x was passed over.`]);
  });

  test('[KC7] relative paths belong to the file that names them; a bare command to PATH', () => {
    const user = [
      '    tokenFile: secrets/token',
      '    exec:',
      '      apiVersion: client.authentication.k8s.io/v1',
      '      interactiveMode: Never',
      '      command: ./bin/login',
    ].join('\n');
    const deep = write(
      'deep/config',
      one('x', user, '    {server: https://x.test, certificate-authority: ca.pem}'),
    );
    const { user: paths, cluster } = flat(load(deep));
    expect([cluster['certificate-authority'], paths.tokenFile, paths.exec?.command]).toEqual([
      join(dir, 'deep/ca.pem'),
      join(dir, 'deep/secrets/token'),
      join(dir, 'deep/bin/login'),
    ]);
    const onPath = write('deep/path', one('x', user.replace('./bin/login', 'login')));
    expect(flat(load(onPath)).user.exec?.command).toBe('login');
    const absolute = write('deep/abs', one('x', '    tokenFile: /run/token'));
    expect(flat(load(absolute)).user.tokenFile).toBe('/run/token');
  });

  test('[KC8] text that looks like a number, a date or a boolean stays as written', () => {
    const path = write('a', one('x', '    {username: 007, password: 0x1F}'));
    expect(flat(load(path)).user).toEqual({ username: '007', password: '0x1F' });
    const other = write(
      'b',
      one('x', '    {token: 1e3}').replaceAll(' x', ' 2024-01-01').replaceAll('name: 2024', 'name: 2024'),
    );
    expect(flat(load(other)).user.token).toBe('1e3');
  });
});

describe('one context', () => {
  test('[KC9] no such context, and no current one: what there is to choose from', () => {
    const a = write('a', one('dev', '    token: t'));
    const b = write('b', one('prod', '    token: t').replace(/current-context.*\n/, ''));
    const missing = flattenContext(load(a, b), 'staging');
    expect(missing).toEqual({
      ok: false,
      error: {
        code: 'no-such-context',
        message: `There is no context named staging in ${a}, ${b}. Choose one of: dev, prod.`,
      },
    });
    const unset = flattenContext(load(b));
    expect(unset.ok ? '' : unset.error.message).toBe(`${b} sets no current-context. Choose one of: prod.`);
  });

  test.each([
    ['    token: t\n    colour: blue', 12, 'user x sets colour, which Loopscope does not support'],
    [
      '    exec: {command: a, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, shell: true}',
      11,
      'user x sets exec.shell',
    ],
    ['    {username: u, password: p, token: t}', 11, 'has both a token and a user name'],
    ['    auth-provider: {name: gcp}', 11, 'uses auth-provider gcp, which kubectl has dropped'],
    ['    as-groups: [a]', 11, 'impersonates a uid, groups or extra without a user (as)'],
    ['    client-certificate-data: YQ==', 11, 'has a client certificate without its key'],
    ['    exec: {command: a, apiVersion: client.authentication.k8s.io/v1}', 11, 'without interactiveMode'],
    [
      '    exec: {command: a, apiVersion: client.authentication.k8s.io/v1alpha1}',
      11,
      'an apiVersion other than',
    ],
    ['    {exec: {command: a}, auth-provider: {name: oidc}}', 11, 'has both exec and auth-provider'],
  ])('[KC10] what we do not support is an error with its line: %s', (user, line, what) => {
    const path = write('a', one('x', user));
    const result = flattenContext(load(path));
    if (result.ok) throw new Error('flattened');
    expect(result.error.code).toBe('unsupported');
    expect(result.error.message).toContain(`In ${path}, line ${line}: user x`);
    expect(result.error.message).toContain(what);
  });

  test('[KC10] a bad entry spoils only the contexts that use it', () => {
    const good = write('good', one('good', '    token: t'));
    const bad = write('bad', one('bad', '    colour: blue'));
    const list = summariseContexts(load(good, bad));
    expect(list.map(({ name, auth, current, problem }) => [name, auth, current, problem?.code])).toEqual([
      ['bad', 'unsupported', false, 'unsupported'],
      ['good', 'token', true, undefined],
    ]);
  });

  test.each([
    ['    server: ftp://x.test', 'is not an http or https address'],
    ['    insecure-skip-tls-verify: true', 'names no server'],
  ])('[KC11] the server must be an address: %s', (cluster, what) => {
    const result = flattenContext(load(write('a', one('x', '    token: t', cluster))));
    expect(result.ok ? '' : result.error.message).toContain(what);
  });

  test.skipIf(process.platform === 'win32')('[KC1] a pipe is read once, and remembered', () => {
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', 'cat > "$0" < "$1"', pipe, write('a', one('x', '    token: t'))]);
    expect([...load(pipe).contexts.keys()]).toEqual(['x']);
    expect([...load(pipe).contexts.keys()]).toEqual(['x']);
    writer.kill();
  });

  test('[KC11] a password in the address is refused and not shown', () => {
    for (const address of ['https://bob:canary@one.test', 'bob:canary@one.test/?x@y']) {
      const config = load(write('a', one('x', '    token: t', `    server: ${address}`)));
      const result = flattenContext(config);
      expect(result.ok ? '' : result.error.message).toContain('holds a user name or password');
      expect(JSON.stringify([result, summariseContexts(config)])).not.toContain('canary');
    }
  });

  test('[KC11] a context that names a user nobody defines', () => {
    const path = write('a', one('x', '    token: t').replace('user: x,', 'user: gone,'));
    const result = flattenContext(load(path));
    expect(result.ok ? '' : result.error.message).toBe(
      `In ${path}, line 14: context x names the user gone, which no kubeconfig file defines.`,
    );
  });

  test('[KC12] preferences, extensions and an address without scheme are taken as kubectl takes them', () => {
    const text = `preferences: {colors: true}\nextensions: []\nwhatever: 1\n${one('x', '    {token: t, extensions: [{name: a, extension: {b: 1}}]}', '    server: one.test:8080')}`;
    const path = write('a', text);
    const config = load(path);
    expect(flat(config).server.href).toBe('http://one.test:8080/');
    expect(config.problems).toEqual([`${path}:3: the field whatever is not known and was passed over.`]);
  });

  test.each([
    ['    token: t', 'token'],
    ['    {token: t, tokenFile: f}', 'token file'],
    ['    {username: u, password: p}', 'basic'],
    ['    auth-provider: {name: oidc, config: {id-token: x}}', 'oidc'],
    ['    {client-certificate: a, client-key: b}', 'client certificate'],
    ['    {client-certificate: a, client-key: b, token: t}', 'token'],
    ['    {}', 'none'],
  ])('[KC13] how the user proves who it is: %s', (user, auth) => {
    expect(authOf(flat(load(write('a', one('x', user)))))).toBe(auth);
  });
});

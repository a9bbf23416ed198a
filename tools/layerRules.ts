/**
 * Who may import what: the one readable list. `npm run check` reads it (tools/layers.ts); docs/architecture.md has the
 * same as a picture. Imports point one way: renderer → shared ← core ← { electron, webhost, cli }.
 */

/** A part of the tree. The longest matching folder decides, so core/node is not core. */
export interface Layer {
  readonly folder: string;
  /** Other layers it may import. Its own is always allowed. */
  readonly imports: readonly string[];
  /** `node:` modules. */
  readonly node: boolean;
  /** Packages that live here. A package has one home; others go through what the home exports. */
  readonly packages: readonly string[];
}

export const layers: readonly Layer[] = [
  { folder: 'shared', imports: [], node: false, packages: ['zod'] },
  { folder: 'core', imports: ['shared'], node: false, packages: [] },
  {
    folder: 'core/node',
    imports: ['shared', 'core'],
    node: true,
    packages: ['@kubernetes/client-node', 'yaml'],
  },
  {
    folder: 'electron',
    imports: ['shared', 'core', 'core/node'],
    node: true,
    packages: ['electron'],
  },
  { folder: 'webhost', imports: ['shared', 'core', 'core/node'], node: true, packages: ['ws'] },
  { folder: 'cli', imports: ['shared', 'core', 'core/node', 'webhost'], node: true, packages: [] },
  {
    folder: 'renderer',
    imports: ['shared'],
    node: false,
    packages: [
      '@base-ui/react',
      '@fontsource-variable/inter',
      '@fontsource/jetbrains-mono',
      '@tanstack/react-virtual',
      '@xyflow/react',
      'lucide-react',
      'react',
      'react-dom',
      'recharts',
      'zustand',
    ],
  },
  { folder: 'tools', imports: [], node: true, packages: ['vite', '@electron/get', 'electron-builder'] },
  {
    folder: 'e2e',
    imports: ['shared', 'core', 'core/node', 'webhost', 'cli', 'electron'],
    node: true,
    packages: ['axe-core', 'playwright-core'],
  },
  {
    folder: 'bench',
    imports: ['shared', 'core', 'core/node', 'webhost', 'cli', 'e2e'],
    node: true,
    packages: [],
  },
];

/** Usable by test files of every layer, by folders named testing, and below e2e. */
export const testPackages: readonly string[] = ['vitest'];

/** A deviation that is wanted. `from` is a file or a folder; `to` a file, a folder or a package. */
export interface Exception {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  /** Only in test files below `from`. */
  readonly testsOnly?: true;
}

export const exceptions: readonly Exception[] = [
  {
    from: 'webhost',
    to: 'zod',
    testsOnly: true,
    reason: 'the contract is tested over every transport with a small table of its own',
  },
  {
    from: 'core/node/kubeconfigFlatten.ts',
    to: 'zod',
    reason: 'a kubeconfig is input from outside, checked where its YAML is read',
  },
  {
    from: 'bench',
    to: '@kubernetes/client-node',
    reason: 'its informer is a peer that the bench compares with',
  },
  {
    from: 'bench',
    to: 'playwright-core',
    reason: 'what is painted, and when, is measured in a real browser',
  },
  { from: 'e2e', to: 'yaml', reason: 'tests and the test bed read and write manifests and kubeconfigs' },
  {
    from: 'e2e',
    to: 'zod',
    testsOnly: true,
    reason: 'what the CLI prints is checked against the documented shape, apart from the schema that made it',
  },
  {
    from: 'cli/desktop.ts',
    to: 'tools',
    reason: "a start in a clone fetches Electron's binary and builds the shell, as it builds the window",
  },
  {
    from: 'cli/launcher.mjs',
    to: 'tools/runtime.mjs',
    reason: 'npx loopscope and the npm scripts prepare the same runtime, before any TypeScript can run',
  },
];

/** Deviations that should go away. Each names what would have to happen first. */
export const debt: readonly Exception[] = [];

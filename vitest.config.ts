import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: [
            '{shared,core,electron,webhost,cli,renderer,tools,bench}/**/*.test.{ts,tsx}',
            'e2e/{conformance,demo}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**'],
          // The longest take two seconds; a machine that is busy with other things makes ten of them.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          environment: 'node',
          include: ['e2e/{testbed,integration,traces}/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'browser',
          environment: 'node',
          include: ['e2e/browser/**/*.test.ts'],
          fileParallelism: false,
          // A page is as fast as the machine it is on: what is waited for has a bound, not a speed.
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 180_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'desktop',
          environment: 'node',
          include: ['e2e/electron/**/*.test.ts'],
          // Needs Electron's own binary: a suite of its own, so that a skip of it is seen.
          exclude: ['e2e/electron/real.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'electron',
          environment: 'node',
          include: ['e2e/electron/real.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});

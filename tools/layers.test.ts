import { describe, expect, test } from 'vitest';
import { exceptions, layers, testPackages } from './layerRules.ts';
import { findViolations, type LayerRules } from './layers.ts';

const rules: LayerRules = { layers, testPackages, exceptions: [] };

function check(path: string, text: string, own: LayerRules = rules): string[] {
  return findViolations([{ path, text }], own).map(({ specifier, why }) => `${specifier}: ${why}`);
}

describe('planted imports', () => {
  test.each([
    ['shared/a.ts', "import { x } from '../core/x.ts';", 'shared may not import core'],
    ['core/queue/a.ts', "import { x } from '../node/x.ts';", 'core may not import core/node'],
    ['core/queue/a.test.ts', "import { x } from '../node/x.ts';", 'core may not import core/node'],
    ['core/a.ts', "import { readFileSync } from 'node:fs';", 'no node modules'],
    ['core/a.ts', "import type { Stats } from 'node:fs';", 'no node modules'],
    ['core/a.ts', "export * from './node/x.ts';", 'core may not import core/node'],
    ['core/a.ts', "export { x } from './node/x.ts';", 'core may not import core/node'],
    ['core/a.ts', "const fs = await import('node:fs');", 'no node modules'],
    ['core/a.ts', "import '../renderer/x.ts';", 'core may not import renderer'],
    ['core/a.ts', "import { z } from 'zod';", 'the home of zod is shared'],
    ['renderer/app/a.tsx', "import { x } from '../../core/x.ts'; <a/>;", 'renderer may not import core'],
    ['renderer/a.ts', "import { x } from '../webhost/x.ts';", 'renderer may not import webhost'],
    ['webhost/a.ts', "import { x } from '../renderer/x.ts';", 'webhost may not import renderer'],
    ['webhost/a.ts', "import { x } from '../cli/x.ts';", 'webhost may not import cli'],
    ['cli/a.ts', "import { x } from '../e2e/x.ts';", 'cli may not import e2e'],
    ['cli/a.ts', "import { parse } from 'yaml';", 'the home of yaml is core/node'],
    ['shared/a.ts', "import React from 'react';", 'the home of react is renderer'],
    ['core/node/a.ts', "import { WebSocket } from 'ws';", 'the home of ws is webhost'],
    [
      'core/node/a.ts',
      "import { x } from '@kubernetes/client-node/dist/x.js'; import { z } from 'zod';",
      'home of zod',
    ],
    ['core/a.ts', "import { test } from 'vitest';", 'no home outside of tests'],
    ['core/a.test.ts', "import x from 'left-pad';", 'left-pad has no home'],
    ['core/a.ts', "import x from '../README.ts';", 'outside of every layer'],
  ])('%s: %s', (path, text, why) => {
    const found = check(path, text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(why);
  });

  test.each([
    ['core/queue/a.ts', "import type { Clock } from '../../shared/base/clock.ts';"],
    ['core/node/a.ts', "import { x } from '../queue/x.ts'; import { readFile } from 'node:fs/promises';"],
    ['cli/a.ts', "import { x } from '../webhost/server.ts'; import { y } from '../core/node/y.ts';"],
    ['renderer/a.tsx', "import { Dialog } from '@base-ui/react/dialog'; import './a.css';"],
    ['core/a.test.ts', "import { test } from 'vitest';"],
    ['README/a.ts', "import { x } from '../core/x.ts';"],
  ])('%s: %s is fine', (path, text) => {
    expect(check(path, text)).toEqual([]);
  });

  test('words in comments and strings are no imports', () => {
    const text = `// import { x } from '../core/x.ts';\nexport const s = "import 'node:fs'";`;
    expect(check('shared/a.ts', text)).toEqual([]);
  });
});

describe('exceptions', () => {
  const exception = { from: 'webhost', to: 'zod', reason: 'r', testsOnly: true } as const;
  const own = { ...rules, exceptions: [exception] };

  test('an exception covers what it names and no more', () => {
    expect(check('webhost/a.test.ts', "import { z } from 'zod';", own)).toEqual([]);
    expect(check('webhost/a.ts', "import { z } from 'zod';", own)).toHaveLength(2);
  });

  test('one that nothing needs is a violation', () => {
    expect(check('webhost/a.ts', '', own)).toEqual([
      'zod: listed as an exception in tools/layerRules.ts and not needed: take it out',
    ]);
  });

  test('each has a reason', () => {
    expect(exceptions.filter(({ reason }) => reason.length < 10)).toEqual([]);
  });
});

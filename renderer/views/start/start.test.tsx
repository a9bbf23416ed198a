import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Contexts } from '../../../shared/contract/views/connection.ts';
import { I18nProvider } from '../../i18n/i18n.tsx';
import { cloudAuth } from '../../testing/incident/connection.ts';
import { demos } from '../../testing/incident/library.ts';
import { shareOf, timeLeft } from './ConnectProgress.tsx';
import { ExecConfirm, quote } from './ContextList.tsx';
import { inOrder, nextCard } from './DemoCards.tsx';
import { FromTerminal } from './FromTerminal.tsx';
import { flaggedFile } from './useContexts.ts';

describe('progress', () => {
  const base = { objects: 0, resourcesReady: 0, resourcesTotal: 0 };
  it('counts objects against the estimate, else resources, else nothing', () => {
    expect(shareOf({ ...base, objects: 50, expected: 200 })).toBe(0.25);
    expect(shareOf({ ...base, objects: 300, expected: 200 })).toBe(1);
    expect(shareOf({ ...base, resourcesReady: 3, resourcesTotal: 12 })).toBe(0.25);
    expect(shareOf(base)).toBeUndefined();
  });
  it('claims a rest only after two seconds and with an estimate', () => {
    expect(timeLeft({ objects: 100, expected: 400 }, 4000)).toBe(12_000);
    expect(timeLeft({ objects: 100, expected: 400 }, 1500)).toBeUndefined();
    expect(timeLeft({ objects: 100 }, 4000)).toBeUndefined();
    expect(timeLeft({ objects: 400, expected: 400 }, 4000)).toBe(1000);
  });
});

describe('FromTerminal', () => {
  const commands = (contexts: Contexts) =>
    [
      ...renderToStaticMarkup(
        <I18nProvider locale="en">
          <FromTerminal context="dev" kubeconfig={flaggedFile(contexts)} />
        </I18nProvider>,
      ).matchAll(/<code[^>]*>([^<]*)</g),
    ].map(([, text = '']) => text.replaceAll('&#x27;', "'"));
  it('keeps the kubeconfig the window was started with, and only that', () => {
    const files = [{ path: '/my files/dev.yaml', state: 'read' as const }];
    expect(commands({ contexts: [], files, origin: 'flag' })).toEqual([
      'npm run testbed',
      "npx loopscope run --kubeconfig '/my files/dev.yaml' -- make run",
      "npx loopscope check --kubeconfig '/my files/dev.yaml' --context dev",
    ]);
    expect(commands({ contexts: [], files, origin: 'environment' })).toEqual([
      'npm run testbed',
      'npx loopscope run -- make run',
      'npx loopscope check --context dev',
    ]);
  });
});

describe('ExecConfirm', () => {
  it('shows the whole command, names of variables without values, and three answers', () => {
    const html = renderToStaticMarkup(
      <I18nProvider locale="en">
        <ExecConfirm
          command={{ ...cloudAuth, args: ['token', '--note', "it's two words"] }}
          context="staging-eu"
          onRun={() => {}}
          onCancel={() => {}}
        />
      </I18nProvider>,
    );
    const text = html.replace(/<[^>]+>/g, ' ').replaceAll('&#x27;', "'");
    expect(text).toContain(`cloud-auth token --note 'it'\\''s two words'`);
    expect(text).toContain('sets CLOUD_PROFILE');
    expect(text).toMatch(/Run once\s+Always for this context\s+Cancel/);
  });
  it('quotes only what a shell would split', () => {
    expect(quote('--cluster=eu-1')).toBe('--cluster=eu-1');
    expect(quote('')).toBe("''");
  });
});

describe('demo cards', () => {
  it('stand in the window’s order, those it does not know at the end', () => {
    const [first, ...rest] = demos;
    if (first === undefined) throw new Error('the incident has demos');
    const newer = { ...first, id: 'of-a-newer-set' };
    expect(inOrder([newer, ...rest, first]).map((demo) => demo.id)).toEqual([
      'status-forbidden',
      'hot-loop',
      'finalizer-orphaned',
      'parked-retry',
      'of-a-newer-set',
    ]);
  });
  it('are walked by arrows as they lie, and not past their ends', () => {
    const from = (at: number, key: string) => nextCard(key, at, 5, 2);
    expect(['ArrowRight', 'ArrowDown', 'End'].map((key) => from(0, key))).toEqual([1, 2, 4]);
    expect(['ArrowLeft', 'ArrowUp', 'Home'].map((key) => from(3, key))).toEqual([2, 1, 0]);
    expect([from(0, 'ArrowLeft'), from(4, 'ArrowDown'), from(2, 'a'), from(0, 'Home')]).toEqual(
      Array(4).fill(undefined),
    );
  });
});

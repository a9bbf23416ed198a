import { describe, expect, it } from 'vitest';
import { defaultPreferences, mergePreferences, parsePreferences, printPreferences } from './preferences.ts';
import {
  createWindowStore,
  goBack,
  goForward,
  goTo,
  openObject,
  openSpan,
  selectSpan,
} from './windowState.ts';

describe('preferences', () => {
  it('reads back what it wrote', () => {
    const changed = { ...defaultPreferences, theme: 'dark' as const, inspectorWidth: { queue: 400 } };
    expect(parsePreferences(printPreferences(changed))).toEqual(changed);
  });
  it('reads back widths and order of tables, and drops what is none', () => {
    const grids = { events: { widths: { op: 120 }, sort: { column: 'op', descending: true } } };
    const changed = { ...defaultPreferences, grids };
    expect(parsePreferences(printPreferences(changed))).toEqual(changed);
    const bad = { events: { widths: { op: 'wide' } } };
    expect(parsePreferences(JSON.stringify({ grids: bad, navShown: false }))).toEqual({
      ...defaultPreferences,
      navShown: false,
    });
  });
  it('keeps good fields beside bad, unknown and missing ones', () => {
    const json = JSON.stringify({ theme: 'sepia', locale: 'zh-CN', navWidth: 'wide', later: true });
    expect(parsePreferences(json)).toEqual({ ...defaultPreferences, locale: 'zh-CN' });
    expect(parsePreferences('not json')).toEqual(defaultPreferences);
    expect(parsePreferences('null')).toEqual(defaultPreferences);
  });
});

describe('[W5] preferences of two windows', () => {
  it('keep what each of them changed', () => {
    const before = defaultPreferences;
    const host = { ...before, theme: 'light' as const, keys: { help: ['F1'] } };
    const now = { ...before, navWidth: 300, keys: {}, grids: { events: { widths: { time: 90 } } } };
    expect(mergePreferences(host, before, now)).toEqual({
      ...host,
      navWidth: 300,
      grids: { events: { widths: { time: 90 } } },
    });
  });
});

describe('places', () => {
  it('walks back and forward, and a new step drops what lay ahead', () => {
    const store = createWindowStore();
    goTo(store, { tab: 'queue' });
    openObject(store, 'g/K/ns/a', 7);
    expect(store.getState()).toMatchObject({ place: { tab: 'timeline', object: 'g/K/ns/a' }, version: 7 });
    goBack(store);
    expect(store.getState().place).toEqual({ tab: 'queue', object: undefined });
    goForward(store);
    expect(store.getState().place.tab).toBe('timeline');
    goBack(store);
    goTo(store, { tab: 'rbac' });
    expect(store.getState().forward).toEqual([]);
    goBack(store);
    goBack(store);
    goBack(store);
    expect(store.getState().place.tab).toBe('events');
  });
  it('comes back to the reconcile and the part of the queue that were chosen there', () => {
    const store = createWindowStore({ queueSegment: 'reconciles' });
    goTo(store, { tab: 'queue' });
    selectSpan(store, 'a');
    openSpan(store, { id: 'a', object: 'g/K/ns/a' });
    openSpan(store, { id: 'b', object: 'g/K/ns/a' });
    expect(store.getState()).toMatchObject({ place: { tab: 'timeline', object: 'g/K/ns/a' }, span: 'b' });
    goBack(store);
    expect(store.getState()).toMatchObject({ place: { tab: 'timeline' }, span: 'a' });
    store.setState({ queueSegment: 'now' });
    goBack(store);
    expect(store.getState()).toMatchObject({
      place: { tab: 'queue' },
      span: 'a',
      queueSegment: 'reconciles',
    });
    goForward(store);
    goForward(store);
    expect(store.getState()).toMatchObject({ place: { tab: 'timeline' }, span: 'b' });
  });
  it('forgets the reconcile with its object, and a version puts it away', () => {
    const store = createWindowStore();
    openSpan(store, { id: 'a', object: 'g/K/ns/a' });
    openSpan(store, { id: 'a', object: 'g/K/ns/a' });
    expect(store.getState().back).toHaveLength(1);
    goTo(store, { object: 'g/K/ns/b' });
    expect(store.getState().span).toBeUndefined();
    selectSpan(store, 'c');
    openObject(store, 'g/K/ns/b', 7);
    expect(store.getState()).toMatchObject({ span: undefined, version: 7 });
    selectSpan(store, 'c');
    expect(store.getState()).toMatchObject({ span: 'c', version: undefined });
  });
  it('does not count the same place as a step', () => {
    const store = createWindowStore();
    goTo(store, { tab: 'events' });
    expect(store.getState().back).toEqual([]);
  });
});

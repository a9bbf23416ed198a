import { useEffect, useRef } from 'react';
import { useTableOf, useValueOf } from '../client/useEngine.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { useConnection } from '../state/useConnection.ts';
import { useIsRecording } from '../state/usePlayback.ts';

const everyMs = 1000;

/** Says what changed by itself: contact, gaps, findings. Polite, at most one a second, never a countdown. */
export function useAnnouncements(announce: (text: string) => void): void {
  const { t } = useI18n();
  const phase = useConnection()?.phase;
  const recording = useIsRecording();
  const connected = phase === 'live' || phase === 'lost' || recording;
  const gaps = useTableOf('gaps', connected ? {} : undefined, (s) =>
    s.state === 'ready' ? s.total : undefined,
  );
  const findings = useValueOf('findings', connected ? {} : undefined, (s) => s.value?.findings);
  const before = useRef<{ phase?: string; gaps?: number; open?: ReadonlyMap<string, boolean> }>({});
  const waiting = useRef<string[]>([]);
  useEffect(() => {
    const timer = setInterval(() => {
      const next = waiting.current.shift();
      if (next !== undefined) announce(next);
    }, everyMs);
    return () => clearInterval(timer);
  }, [announce]);
  useEffect(() => {
    const last = before.current.phase;
    if (phase === 'lost' && last === 'live') waiting.current.push(t('announce.lost'));
    if (phase === 'live' && last !== undefined && last !== 'live') waiting.current.push(t('announce.live'));
    if (phase !== undefined) before.current.phase = phase;
  }, [phase, t]);
  useEffect(() => {
    const last = before.current.gaps;
    if (gaps !== undefined && last !== undefined && gaps > last) waiting.current.push(t('announce.gap'));
    if (gaps !== undefined) before.current.gaps = gaps;
  }, [gaps, t]);
  useEffect(() => {
    if (findings === undefined) return;
    const open = new Map(findings.map((finding) => [finding.id, finding.closedAt === undefined]));
    const last = before.current.open;
    before.current.open = open;
    if (last === undefined) return;
    for (const finding of findings) {
      const was = last.get(finding.id) ?? false;
      const is = finding.closedAt === undefined;
      if (is && !was) waiting.current.push(t('announce.opened', { title: finding.title }));
      if (!is && was) waiting.current.push(t('announce.closed', { title: finding.title }));
    }
  }, [findings, t]);
}

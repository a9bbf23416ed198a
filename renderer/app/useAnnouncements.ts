import { useEffect, useRef } from 'react';
import { useTableOf, useValueOf } from '../client/useEngine.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { useConnection } from '../state/useConnection.ts';
import { isRecording, useIsRecording } from '../state/usePlayback.ts';

const everyMs = 1000;

/** Says what changed by itself: contact, gaps, findings. Polite, at most one a second, never a countdown. */
export function useAnnouncements(announce: (text: string) => void): void {
  const { t } = useI18n();
  const phase = useConnection()?.phase;
  const shown = useValueOf('playback', {}, ({ value }) =>
    isRecording(value) ? (value?.path ?? value?.demo) : undefined,
  );
  const recording = useIsRecording();
  const playing = useValueOf('playback', {}, (s) => s.value?.state === 'playing');
  const connected = phase === 'live' || phase === 'lost' || recording;
  const gaps = useTableOf('gaps', connected ? {} : undefined, (s) =>
    s.state === 'ready' ? s.total : undefined,
  );
  const findings = useValueOf('findings', connected ? {} : undefined, (s) => s.value?.findings);
  const before = useRef<{ phase?: string; gaps?: number; open?: ReadonlyMap<string, boolean> }>({});
  const waiting = useRef<string[]>([]);
  // Another thing on screen: what is true there is no news.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown
  useEffect(() => {
    before.current = {};
    waiting.current = [];
  }, [shown]);
  // A recording tells what happens while it plays; going to another moment of it is the user's own doing.
  const told = !recording || playing;
  useEffect(() => {
    const timer = setInterval(() => {
      const next = waiting.current.shift();
      if (next !== undefined) announce(next);
    }, everyMs);
    return () => clearInterval(timer);
  }, [announce]);
  useEffect(() => {
    // Of a recording the bar tells that it plays or stands: contact is of a cluster.
    if (recording) return;
    const last = before.current.phase;
    if (phase === 'lost' && last === 'live') waiting.current.push(t('announce.lost'));
    if (phase === 'live' && last !== undefined && last !== 'live') waiting.current.push(t('announce.live'));
    if (phase !== undefined) before.current.phase = phase;
  }, [phase, recording, t]);
  useEffect(() => {
    const last = before.current.gaps;
    if (gaps !== undefined && last !== undefined && gaps > last && told)
      waiting.current.push(t('announce.gap'));
    if (gaps !== undefined) before.current.gaps = gaps;
  }, [gaps, told, t]);
  useEffect(() => {
    if (findings === undefined) return;
    const open = new Map(findings.map((finding) => [finding.id, finding.closedAt === undefined]));
    const last = before.current.open;
    before.current.open = open;
    if (last === undefined || !told) return;
    for (const finding of findings) {
      const was = last.get(finding.id) ?? false;
      const is = finding.closedAt === undefined;
      if (is && !was) waiting.current.push(t('announce.opened', { title: finding.title }));
      if (!is && was) waiting.current.push(t('announce.closed', { title: finding.title }));
    }
  }, [findings, told, t]);
}

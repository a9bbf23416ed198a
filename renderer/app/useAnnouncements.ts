import { useEffect, useMemo, useRef } from 'react';
import { browserClock } from '../client/browserClock.ts';
import { useTableOf, useValueOf } from '../client/useEngine.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { useConnection } from '../state/useConnection.ts';
import { isRecording, useIsRecording } from '../state/usePlayback.ts';
import { createAnnouncer } from './announcer.ts';

/**
 * Says what changed by itself: contact, gaps, findings. Polite, at most one a second, never a countdown. What the window
 * says besides (copied, found) goes through the returned function, so that all of it keeps to that.
 */
export function useAnnouncements(show: (text: string) => void): (text: string) => void {
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
  const announcer = useMemo(() => createAnnouncer(show, browserClock), [show]);
  useEffect(() => () => announcer.dispose(), [announcer]);
  const { say } = announcer;
  // Another thing on screen: what is true there is no news.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown
  useEffect(() => {
    before.current = {};
    announcer.dispose();
  }, [shown]);
  // A recording tells what happens while it plays; going to another moment of it is the user's own doing.
  const told = !recording || playing;
  useEffect(() => {
    // Of a recording the bar tells that it plays or stands: contact is of a cluster.
    if (recording) return;
    const last = before.current.phase;
    if (phase === 'lost' && last === 'live') say(t('announce.lost'));
    if (phase === 'live' && last !== undefined && last !== 'live') say(t('announce.live'));
    if (phase !== undefined) before.current.phase = phase;
  }, [phase, recording, t, say]);
  useEffect(() => {
    const last = before.current.gaps;
    if (gaps !== undefined && last !== undefined && gaps > last && told) say(t('announce.gap'));
    if (gaps !== undefined) before.current.gaps = gaps;
  }, [gaps, told, t, say]);
  useEffect(() => {
    if (findings === undefined) return;
    const open = new Map(findings.map((finding) => [finding.id, finding.closedAt === undefined]));
    const last = before.current.open;
    before.current.open = open;
    if (last === undefined || !told) return;
    for (const finding of findings) {
      const was = last.get(finding.id) ?? false;
      const is = finding.closedAt === undefined;
      if (is && !was) say(t('announce.opened', { title: finding.title }));
      if (!is && was) say(t('announce.closed', { title: finding.title }));
    }
  }, [findings, told, t, say]);
  return say;
}

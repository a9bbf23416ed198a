/**
 * The engine that engineKills.ts kills: `node engineKillChild.ts KUBECONFIG HOME REPORT`. Everything is the product's
 * own. What it records goes into REPORT the moment it is recorded, one write a line, so that it survives the kill:
 * `r SEQ ARRIVED VERSION`, and every 5 ms `t NOW GAP`, the time since the tick before.
 */
import { openSync, writeSync } from 'node:fs';
import { createNodeEngine } from '../../core/node/createNodeEngine.ts';
import { busyProfile } from './engineKillServer.ts';

const [, , kubeconfig = '', home = '', report = ''] = process.argv;
const file = openSync(report, 'a', 0o600);
const { engine } = createNodeEngine({
  kubeconfig,
  env: { HOME: home, XDG_CONFIG_HOME: `${home}/config`, XDG_DATA_HOME: `${home}/data` },
  sessions: `${home}/sessions`,
  log: (line) => writeSync(2, `${line}\n`),
  onBug(where, error) {
    writeSync(2, `bug: ${where}: ${error instanceof Error ? error.stack : String(error)}\n`);
  },
});
engine.setProfileFile(busyProfile, 'loopscope.yaml');

let told = 0;
engine.onSession.on((session) => {
  session?.recorder.onRecorded(({ head }) => {
    if (head.seq === told) return;
    told = head.seq;
    // A watch event arrived when its line was read; of everything else, when it was recorded.
    const arrived = head.kind === 'object' ? head.receivedAt : Date.now();
    writeSync(file, `r ${head.seq} ${Math.round(arrived)} ${head.resourceVersion ?? '-'}\n`);
  });
});

let last = performance.now();
setInterval(() => {
  const now = performance.now();
  writeSync(file, `t ${Date.now()} ${Math.ceil(now - last)}\n`);
  last = now;
}, 5);

const connected = await engine.connect({ context: '' });
if (!connected.ok) {
  writeSync(2, `${connected.error.message}\n`);
  process.exit(1);
}

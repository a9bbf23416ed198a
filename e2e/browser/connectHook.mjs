// Loaded into the host's process by a test (NODE_OPTIONS=--import): writes down whom it speaks to and what it starts.
// Nothing is held back: what is not allowed has to be seen, not prevented. Plain JavaScript: it comes before anything else.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import process from 'node:process';

const file = process.env.LOOPSCOPE_TEST_CONNECTS;

function note(what, detail) {
  if (file !== undefined)
    appendFileSync(file, `${JSON.stringify({ what, detail: String(detail), pid: process.pid })}\n`);
}

note('started', process.argv.slice(1).join(' '));

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  // Options as an object, normalised ones in an array, or port and host.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const options = typeof first === 'object' && first !== null ? first : { port: first, host: second };
  const to = options.path ?? `${options.host ?? 'localhost'}:${options.port}`;
  note(options.path === undefined ? 'connect' : 'pipe', to);
  return connect.apply(this, args);
};

for (const object of [dns, dns.promises]) {
  for (const name of Object.keys(object).filter((key) => /^(lookup|resolve|reverse)/.test(key))) {
    const original = object[name];
    if (typeof original !== 'function') continue;
    object[name] = function (...args) {
      note('lookup', args[0]);
      return original.apply(this, args);
    };
  }
}

const send = dgram.Socket.prototype.send;
dgram.Socket.prototype.send = function (...args) {
  note('datagram', args.filter((arg) => typeof arg === 'string' || typeof arg === 'number').join(' '));
  return send.apply(this, args);
};

for (const name of ['spawn', 'spawnSync', 'exec', 'execFile', 'execSync', 'execFileSync']) {
  const original = childProcess[name];
  childProcess[name] = function (command, ...rest) {
    note('spawn', [command, ...(Array.isArray(rest[0]) ? rest[0] : [])].join(' '));
    return original.call(this, command, ...rest);
  };
}

syncBuiltinESMExports();

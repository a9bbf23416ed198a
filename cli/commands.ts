/** What each command takes: the source of parsing and of the help. */
import type { CommandSpec, FlagSpec } from './args.ts';

const connection: readonly FlagSpec[] = [
  {
    name: 'kubeconfig',
    kind: 'text',
    value: 'FILE',
    help: 'kubeconfig to use instead of KUBECONFIG or the default',
  },
  {
    name: 'context',
    kind: 'text',
    value: 'NAME',
    help: 'context to use; also consent to run its credential plugin',
  },
  {
    name: 'namespace',
    short: 'n',
    kind: 'list',
    value: 'NAME',
    help: 'namespace to watch where listing the whole cluster is refused (repeatable)',
  },
];
const feeds: readonly FlagSpec[] = [
  { name: 'log', kind: 'text', value: 'FILE', help: "the operator's log; followed. - is standard input" },
  {
    name: 'metrics',
    kind: 'text',
    value: 'URL',
    help: "the operator's metrics, http://127.0.0.1:8080/metrics",
  },
  {
    name: 'profile',
    kind: 'text',
    value: 'FILE',
    help: 'loopscope.yaml: what the operator watches and how it retries',
  },
];
/** How long a live cluster is looked at. */
const watching: readonly FlagSpec[] = [
  {
    name: 'for',
    kind: 'duration',
    value: 'TIME',
    help: 'how long to watch after the first sync (default 10s)',
  },
  {
    name: 'sync-timeout',
    kind: 'duration',
    value: 'TIME',
    help: 'how long to wait for the first sync before judging without it (default 1m)',
  },
];
const json: FlagSpec = {
  name: 'json',
  kind: 'switch',
  help: 'for programs: one JSON document on standard output',
};
const failOnIncomplete: FlagSpec = {
  name: 'fail-on-incomplete',
  kind: 'switch',
  help: 'exit with 5 when something could not be read or evaluated',
};
const audit: FlagSpec = {
  name: 'audit',
  kind: 'text',
  value: 'FILE',
  help: "the API server's audit log as JSON lines; followed",
};
/** Where the window is shown. */
const place: readonly FlagSpec[] = [
  { name: 'browser', kind: 'switch', help: 'in the browser, without trying the desktop window' },
  {
    name: 'electron',
    kind: 'switch',
    help: "in a desktop window; fetches Electron's binary even if that failed before",
  },
];
const window: readonly FlagSpec[] = [
  { name: 'port', kind: 'port', value: 'PORT', help: 'port of the window on loopback; 0 for any' },
  { name: 'no-open', kind: 'switch', help: 'print the address, open no browser' },
];

export const check: CommandSpec = {
  name: 'check',
  summary: 'Judge a cluster, or a case folder: what is wrong, why, and what fixes it',
  usage: 'loopscope check [TARGET] [flags]',
  details:
    'TARGET is a folder with cluster.yaml, operator.log, audit.jsonl and the like. Without TARGET the cluster of the\ncurrent context is read (never changed): to the first full sync, then for --for, then it is judged. Ctrl-C, and a sync\nthat takes longer than --sync-timeout, judge what is there and name what is missing.',
  positionals: 1,
  trailing: false,
  flags: [...connection, ...watching, ...feeds, json, failOnIncomplete],
  examples: [
    ['loopscope check', 'the current context'],
    ['loopscope check --context staging --log operator.log', 'another context, with the log of an operator'],
    ['loopscope check ./case --json', 'a case folder, for a program'],
    ['loopscope check -n team-a -n team-b --fail-on-incomplete', 'with few rights, in a pipeline'],
  ],
};

export const run: CommandSpec = {
  name: 'run',
  summary: 'Run an operator as a child process and watch it: log, process and metrics are attached',
  usage: 'loopscope run [flags] -- COMMAND [ARGUMENTS]',
  details:
    'The child gets the same kubeconfig. Ctrl-C ends the child first; the window stays until the next Ctrl-C.\nA loopscope.yaml in the current folder is used without being named.',
  positionals: 0,
  trailing: true,
  flags: [
    ...connection,
    ...feeds.filter((flag) => flag.name !== 'log'),
    ...window,
    { name: 'exit-with-child', kind: 'switch', help: 'end when the child ends' },
    { ...json, help: 'no window; what was found, as JSON, when the child ends' },
    failOnIncomplete,
  ],
  examples: [
    ['loopscope run -- make run', 'an operator from its source folder'],
    ['loopscope run --no-open -- ./bin/manager --leader-elect=false', 'without opening a browser'],
    [
      "loopscope run --metrics http://127.0.0.1:8080 -- sh -c 'go run . 2>&1'",
      'a shell line, and a known metrics port',
    ],
    ['loopscope run --json -- ./bin/manager --once', 'in a pipeline'],
  ],
};

export const start: CommandSpec = {
  name: 'start',
  summary: 'Open the window (what npm start does)',
  usage: 'loopscope start [SESSION] [flags]',
  details:
    'SESSION is a recorded .loopscope file to look at. Without it the window shows what there is to connect to, or, where\nthere is no kubeconfig, recorded incidents. It is a desktop window where Electron can run and its binary is there or\narrives; else, and with --browser, --port or --no-open, a page on loopback.',
  positionals: 1,
  trailing: false,
  flags: [
    ...connection,
    ...feeds,
    audit,
    {
      name: 'demo',
      kind: 'optional',
      value: 'ID',
      help: 'a recorded incident, no cluster needed: the first, or the one named',
    },
    ...place,
    ...window,
  ],
  examples: [
    ['loopscope start', 'choose a context in the window'],
    ['loopscope start --demo', 'a recorded incident, with a guided tour'],
    ['loopscope start --context kind-dev --log operator.log', 'connect at once, with a log'],
    ['loopscope start incident.loopscope', 'look at a recorded session'],
    ['loopscope start --no-open --port 7400', 'print the address only'],
  ],
};

export const open: CommandSpec = {
  name: 'open',
  summary: 'Open a recorded session in the window',
  usage: 'loopscope open FILE [flags]',
  details: 'Nothing is ever appended to FILE. Where it is shown: as with start.',
  positionals: 1,
  trailing: false,
  flags: [...place, ...window],
  examples: [
    ['loopscope open incident.loopscope', 'from the folder it was saved in'],
    ['loopscope open ~/Downloads/incident.loopscope --browser', 'in the browser'],
  ],
};

export const sessions: CommandSpec = {
  name: 'sessions',
  summary: 'List what was recorded here; name, keep, delete it, save it to a file',
  usage:
    'loopscope sessions [list | rename ID NAME | keep ID | unkeep ID | delete ID | save ID PATH] [--json]',
  details:
    'ID is the name of the file, its beginning, or the name that the session was given, as long as only one is meant. A kept\nsession is never deleted by itself. save writes a compact copy, also of a session that is being recorded just now, to\nthe file or folder PATH; it replaces nothing but an earlier copy of the same session. A session holds what the cluster\nsaid: treat it as private.',
  positionals: 3,
  trailing: false,
  flags: [json],
  examples: [
    ['loopscope sessions', 'what there is, newest first'],
    ["loopscope sessions rename 20261130T083702Z 'The day it broke'", 'give one a name'],
    ['loopscope sessions keep 20261130T083702Z', 'never delete it by itself'],
    ["loopscope sessions save 'The day it broke' incident.loopscope", 'a copy to hand on'],
  ],
};

/** What looks at one operator, whatever TARGET is. */
const look: readonly FlagSpec[] = [
  {
    name: 'operator',
    kind: 'text',
    value: 'NAME',
    help: 'the operator to look at, where there are several (namespace/name)',
  },
  json,
  ...connection,
  ...watching,
  ...feeds,
  audit,
];
const lookTargets =
  'TARGET is a case folder or recording (cluster.yaml, watch.jsonl, operator.log, metrics*.txt, audit.jsonl, asof.txt; any\nmay be missing) or a .loopscope session. Without TARGET the cluster of the current context is watched (never changed):\nto the first full sync, then for --for. Ctrl-C shows what is there.';
const controller: FlagSpec = {
  name: 'controller',
  kind: 'text',
  value: 'NAME',
  help: 'one controller of the operator only',
};

export const trace: CommandSpec = {
  name: 'trace',
  summary: 'What an operator did: each reconcile, what woke it, what it wrote, how it ended, what follows',
  usage: 'loopscope trace [TARGET] [--object KIND/NAMESPACE/NAME] [--controller NAME] [flags]',
  details: `${lookTargets}\nA loopscope.yaml in the folder is used without being named.`,
  positionals: 1,
  trailing: false,
  flags: [
    {
      name: 'object',
      kind: 'text',
      value: 'OBJECT',
      help: 'Kind/namespace/name: the runs of this object, in full; - for no namespace',
    },
    controller,
    {
      name: 'why',
      kind: 'optional',
      value: 'ID',
      help: 'why a reconcile ran: the newest, or the one of this id (--why=ID)',
    },
    { name: 'why-not', kind: 'switch', help: 'why the object of --object does not run' },
    ...look,
  ],
  examples: [
    ['loopscope trace ./recording', 'every reconcile of a recorded run, a line each'],
    ['loopscope trace ./recording --object Database/shop/orders', 'those of one object, in full'],
    ['loopscope trace --log operator.log --for 1m --json', 'of a live cluster, for a program'],
    [
      'loopscope trace incident.loopscope --object Database/shop/orders --why',
      'why its newest reconcile ran',
    ],
    ['loopscope trace --object Database/shop/orders --why-not', 'why it is not reconciled'],
  ],
};

export const queue: CommandSpec = {
  name: 'queue',
  summary:
    'The workqueue of each controller as modelled: due, running, waiting, failing, and what was predicted',
  usage: 'loopscope queue [TARGET] [--controller NAME] [flags]',
  details: lookTargets,
  positionals: 1,
  trailing: false,
  flags: [controller, ...look],
  examples: [
    ['loopscope queue ./recording', 'where the queues stood at its end'],
    ['loopscope queue --log operator.log', 'of a live cluster'],
  ],
};

export const rbac: CommandSpec = {
  name: 'rbac',
  summary: 'What an operator needs, what it is granted, and the rule that closes each gap',
  usage: 'loopscope rbac [TARGET] [flags]',
  details: lookTargets,
  positionals: 1,
  trailing: false,
  flags: [...look],
  examples: [
    ['loopscope rbac ./case', 'of a case folder'],
    ['loopscope rbac --context staging --json', 'of a live cluster, for a program'],
  ],
};

export const commands: readonly CommandSpec[] = [check, trace, queue, rbac, run, start, open, sessions];

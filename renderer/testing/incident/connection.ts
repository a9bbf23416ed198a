import type {
  Connection,
  Contexts,
  ExecCommand,
  SessionStats,
} from '../../../shared/contract/views/connection.ts';
import { at, moment, recordingStart } from './time.ts';

export const cloudAuth: ExecCommand = {
  command: 'cloud-auth',
  args: ['token', '--cluster', 'staging-eu'],
  envNames: ['CLOUD_PROFILE'],
  file: '~/.kube/config',
  user: 'staging-eu-ops',
};

export const contexts: Contexts = {
  origin: 'environment',
  files: [
    { path: '~/.kube/config', state: 'read' },
    { path: '~/.kube/lab.yaml', state: 'read' },
  ],
  contexts: [
    {
      name: 'staging-eu',
      cluster: 'staging-eu',
      server: 'https://api.staging-eu.example.com',
      user: 'staging-eu-ops',
      auth: 'exec',
      exec: cloudAuth,
      current: true,
      file: '~/.kube/config',
    },
    {
      name: 'prod-eu',
      cluster: 'prod-eu',
      server: 'https://api.prod-eu.example.com',
      user: 'prod-eu-ops',
      auth: 'exec',
      exec: { ...cloudAuth, args: ['token', '--cluster', 'prod-eu'], user: 'prod-eu-ops' },
      current: false,
      file: '~/.kube/config',
    },
    {
      name: 'kind-dev',
      cluster: 'kind-dev',
      server: 'https://127.0.0.1:39117',
      user: 'kind-dev',
      auth: 'client certificate',
      namespace: 'shop',
      current: false,
      file: '~/.kube/config',
    },
    {
      name: 'lab',
      cluster: 'lab',
      server: 'https://lab.example.net:6443',
      user: 'lab-admin',
      auth: 'client certificate',
      current: false,
      file: '~/.kube/lab.yaml',
      problem: { code: 'certificate-expired', message: 'certificate expired 3 d ago' },
    },
    {
      name: 'partner',
      cluster: 'partner',
      server: 'https://k8s.partner.example.org',
      user: 'partner',
      auth: 'oidc',
      current: false,
      file: '~/.kube/lab.yaml',
    },
  ],
};

export const noContexts: Contexts = {
  origin: 'environment',
  files: [
    { path: '~/.kube/config', state: 'missing' },
    { path: '~/work/dev.yaml', state: 'empty' },
  ],
  contexts: [],
  problem: { code: 'no-kubeconfig', message: 'None of the files that KUBECONFIG names holds a context.' },
};

export const live: Connection = {
  phase: 'live',
  context: 'staging-eu',
  server: 'https://api.staging-eu.example.com',
  version: 'v1.37.2',
  user: 'staging-eu-ops',
  namespaces: [],
  since: at('13:40:02'),
};

export const lost: Connection = {
  ...live,
  phase: 'lost',
  lost: { since: at('14:11:32'), attempt: 5, nextTryAt: moment + 11_400 },
  problem: {
    code: 'unreachable',
    message: 'The API server at api.staging-eu.example.com does not answer (connection refused).',
  },
};

export const syncing: Connection = {
  ...live,
  phase: 'syncing',
  since: moment - 12_000,
  sync: {
    objects: 18_412,
    expected: 30_100,
    resourcesReady: 9,
    resourcesTotal: 12,
    steps: [
      { id: 'discovery', label: 'Discovery', state: 'done', detail: '94 resources', ms: 300 },
      { id: 'access', label: 'Your access', state: 'forbidden', detail: '7 of 8 readable', ms: 600 },
      {
        id: 'critical',
        label: 'Databases, StatefulSets, roles',
        state: 'done',
        detail: 'you can look already',
        ms: 1800,
      },
      { id: 'pods', label: 'Pods', state: 'running', detail: '11,920 of 19,400' },
      { id: 'events', label: 'Events', state: 'waiting', detail: 'last, in the background' },
    ],
  },
};

export const consent: Connection = {
  phase: 'connecting',
  context: 'staging-eu',
  namespaces: [],
  consent: cloudAuth,
};

export const failed: Connection = {
  phase: 'failed',
  context: 'staging-eu',
  namespaces: [],
  problem: {
    code: 'exec-failed',
    message:
      'The command cloud-auth of user staging-eu-ops ended with exit code 1: “session expired, run cloud-auth login”. Log in with it in a terminal, then try again.',
  },
};

export const idle: Connection = { phase: 'idle', namespaces: [] };

export const session: SessionStats = {
  id: '2026-09-14T13-40-00-staging-eu.loopscope',
  startedAt: recordingStart,
  records: 184_213,
  bytes: 12_400_000,
  gaps: 2,
  late: 0,
  objects: 4_878,
  sourcesLive: 7,
  sourcesTotal: 8,
  health: [],
};

/** The disk is full: the live view goes on, the recording waits. */
export const pausedSession: SessionStats = {
  ...session,
  paused: 'the disk is full. Free some space; recording goes on by itself, and what waits is then written.',
};

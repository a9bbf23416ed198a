/**
 * Lines as operators write them, with invented names: each format's real shape (headers, order and spelling of fields, what
 * is quoted), taken from public logs and from the programs' own sources.
 */
import { describe, expect, it, test } from 'vitest';
import { type LogEntry, parseLogLine } from './logEntry.ts';

const received = Date.UTC(2026, 10, 30, 8);
const read = (line: string): LogEntry => parseLogLine(line, { nearMs: received });
const key = (namespace: string, name: string) => ({ namespace, name });
const at = (ms: number) => ({ lo: ms, hi: ms });
const t = Date.UTC(2026, 10, 30, 7, 33, 11);

describe('[LG1] operators', () => {
  it('Cluster API: klog with the fields of controller-runtime', () => {
    const line =
      'I1130 07:33:11.250000       1 machine_controller.go:412] "Reconciling Machine" controller="machine" controllerGroup="cluster.x-k8s.io" controllerKind="Machine" Machine="fleet/m-1" namespace="fleet" name="m-1" reconcileID="6d1f2f4e-0001" Cluster="fleet/c-1"';
    expect(read(line)).toMatchObject({
      format: 'klog',
      at: at(t + 250),
      caller: 'machine_controller.go:412',
      controller: 'machine',
      controllerGroup: 'cluster.x-k8s.io',
      key: key('fleet', 'm-1'),
      reconcileId: '6d1f2f4e-0001',
      fields: { Cluster: 'fleet/c-1' },
    });
    expect(read(line).event).toBeUndefined();
    const error =
      'E1130 07:33:11.250000       1 controller.go:324] "Reconciler error" err="no token" controller="machine" controllerGroup="cluster.x-k8s.io" controllerKind="Machine" Machine="fleet/m-1" namespace="fleet" name="m-1" reconcileID="6d1f2f4e-0001"';
    expect(read(error)).toMatchObject({
      error: 'no token',
      event: { kind: 'reconcilerError' },
      level: 'error',
    });
  });

  it('Cluster API: component-base JSON', () => {
    const line =
      '{"ts":1796023991250.125,"caller":"controllers/machine.go:9","msg":"Waiting for bootstrap","v":2,"controller":"machine","controllerKind":"Machine","Machine":{"name":"m-1","namespace":"fleet"},"reconcileID":"r-1"}';
    expect(read(line)).toMatchObject({
      at: at(1796023991250.125),
      level: 'debug',
      verbosity: 2,
      caller: 'controllers/machine.go:9',
      key: key('fleet', 'm-1'),
      reconcileId: 'r-1',
    });
  });

  it('cert-manager: klogr text, and klog with the key as a field', () => {
    const old =
      'E1130 07:33:11.106000       1 controller.go:163] cert-manager/controller/certificates-issuing "msg"="re-queuing item due to error processing" "error"="certs \\"a\\" not found" "key"="shop/front-tls" ';
    expect(read(old)).toMatchObject({
      format: 'klog',
      logger: 'cert-manager/controller/certificates-issuing',
      msg: 're-queuing item due to error processing',
      error: 'certs "a" not found',
      controller: 'certificates-issuing',
      key: key('shop', 'front-tls'),
      event: { kind: 'syncError' },
    });
    const now =
      'E1130 07:33:11.106000       1 controller.go:157] "re-queuing item due to error processing" err="not yet" logger="cert-manager.certificates-key-manager" key="shop/front-tls"';
    expect(read(now)).toMatchObject({
      controller: 'certificates-key-manager',
      key: key('shop', 'front-tls'),
      event: { kind: 'syncError' },
    });
    // What names neither controller nor object says neither.
    const bare = read(
      'E1130 07:33:11.106000       1 controller.go:157] "re-queuing item due to error processing" err="client for issuer not initialised/available" logger="cert-manager.controller"',
    );
    expect(bare.controller).toBeUndefined();
    expect(bare.key).toBeUndefined();
    expect(bare.event).toEqual({ kind: 'syncError' });
    expect(
      read(
        'E1130 07:33:11.1 1 controller.go:185] orders controller: Re-queuing item "kube/stage-tls-1" due to error processing: order "x" not found',
      ),
    ).toMatchObject({
      key: key('kube', 'stage-tls-1'),
      error: 'order "x" not found',
      event: { kind: 'syncError' },
    });
  });

  it('Knative and Tekton: own names for header and fields, an id for each run', () => {
    const line =
      '{"severity":"INFO","timestamp":"2026-11-30T07:33:11.767Z","logger":"controller","caller":"controller/controller.go:550","message":"Reconcile succeeded","commit":"1dd488e","knative.dev/controller":"knative.dev.serving.pkg.reconciler.route.Reconciler","knative.dev/kind":"serving.knative.dev.Route","knative.dev/traceid":"54dbe0c9-d547","knative.dev/key":"shop/hello","duration":0.000073334}';
    expect(read(line)).toMatchObject({
      at: at(t + 767),
      level: 'info',
      logger: 'controller',
      msg: 'Reconcile succeeded',
      controller: 'knative.dev.serving.pkg.reconciler.route.Reconciler',
      key: key('shop', 'hello'),
      reconcileId: '54dbe0c9-d547',
      event: { kind: 'reconciled' },
    });
    expect(
      read(
        line
          .replace('"INFO"', '"ERROR"')
          .replace('Reconcile succeeded', 'Reconcile error')
          .replace('"duration"', '"error":"boom","duration"'),
      ),
    ).toMatchObject({ level: 'error', error: 'boom', event: { kind: 'syncError' } });
  });

  it('Crossplane: "Reconciling" that is its own is no start', () => {
    const info =
      '{"level":"info","ts":"2026-11-30T07:33:11Z","logger":"crossplane","msg":"Reconciling","controller":"claim/nops.nop.example.org","request":{"name":"demo","namespace":"shop"}}';
    expect(read(info)).toMatchObject({ controller: 'claim/nops.nop.example.org', key: key('shop', 'demo') });
    expect(read(info).event).toBeUndefined();
    const debug = `2026-11-30T07:33:11.098-0800\tDEBUG\tstack-gcp\tReconciling\t{"controller": "managed/sqlinstance", "request": "/app-pg-4w"}`;
    expect(read(debug)).toMatchObject({ logger: 'stack-gcp', key: key('', 'app-pg-4w') });
    expect(read(debug).event).toBeUndefined();
  });

  it('prometheus-operator: go-kit logfmt, and slog', () => {
    expect(
      read(
        'level=info ts=2026-11-30T07:33:11.60215587Z caller=operator.go:1221 component=prometheusoperator key=monitoring/k8s msg="sync prometheus"',
      ),
    ).toMatchObject({
      format: 'logfmt',
      at: { lo: t + 602.15587 },
      caller: 'operator.go:1221',
      key: key('monitoring', 'k8s'),
      msg: 'sync prometheus',
      fields: { component: 'prometheusoperator' },
    });
    expect(
      read(
        'ts=2026-11-30T07:33:11.5Z level=error caller=/workspace/pkg/operator/operator.go:410 msg="Unhandled Error" logger=UnhandledError err="sync \\"monitoring/k8s\\" failed: statefulsets is forbidden"',
      ),
    ).toMatchObject({
      key: key('monitoring', 'k8s'),
      event: { kind: 'syncError' },
      error: 'sync "monitoring/k8s" failed: statefulsets is forbidden',
    });
  });

  it('Strimzi: log4j with the reconciliation in the text', () => {
    expect(
      read(
        '2026-11-30 07:33:11 INFO  AbstractOperator:254 - Reconciliation #336(timer) Kafka(bus/main): Kafka main will be checked for creation or modification',
      ),
    ).toMatchObject({
      format: 'console',
      at: { lo: t, hi: t + 999 },
      level: 'info',
      logger: 'AbstractOperator',
      controllerKind: 'Kafka',
      key: key('bus', 'main'),
      reconcileId: '#336',
      msg: 'Kafka main will be checked for creation or modification',
    });
  });

  it('Argo CD: logrus text and JSON', () => {
    expect(
      read(
        'time="2026-11-30T07:33:11Z" level=warning msg="Failed to save cluster info: EOF" application=argocd/guestbook',
      ),
    ).toMatchObject({
      format: 'logfmt',
      level: 'warning',
      msg: 'Failed to save cluster info: EOF',
      fields: { application: 'argocd/guestbook' },
    });
    expect(
      read(
        '{"application":"argocd/guestbook","level":"info","msg":"Reconciliation completed","time":"2026-11-30T07:33:11Z","time_ms":12}',
      ),
    ).toMatchObject({
      msg: 'Reconciliation completed',
      fields: { application: 'argocd/guestbook', time_ms: 12 },
    });
    expect(
      read('INFO[0003] Start syncing                                 application=guestbook dry=false'),
    ).toMatchObject({
      format: 'console',
      level: 'info',
      msg: 'Start syncing',
      fields: { application: 'guestbook', dry: 'false' },
    });
  });

  it('Flux and External Secrets: zap JSON, ISO 8601 and epoch', () => {
    expect(
      read(
        '{"level":"error","ts":"2026-11-30T07:33:11.310Z","msg":"Reconciler error","controller":"kustomization","controllerGroup":"kustomize.toolkit.fluxcd.io","controllerKind":"Kustomization","Kustomization":{"name":"apps","namespace":"flux"},"namespace":"flux","name":"apps","reconcileID":"r","error":"timeout waiting: context deadline exceeded"}',
      ),
    ).toMatchObject({ at: at(t + 310), key: key('flux', 'apps'), event: { kind: 'reconcilerError' } });
    expect(
      read(
        '{"level":"error","ts":1796023991.125,"logger":"controllers.ExternalSecret","msg":"could not get secret data","ExternalSecret":{"name":"db","namespace":"shop"},"error":"denied"}',
      ),
    ).toMatchObject({ at: at(1796023991125), controllerKind: 'ExternalSecret', key: key('shop', 'db') });
  });

  it('kubebuilder and operator-sdk scaffolds, older and newer', () => {
    expect(
      read('1.796023991125e+09\tINFO\tcontrollers.Widget\tStart reconciling\t{"widget": "shop/w-1"}'),
    ).toMatchObject({ at: at(1796023991125), controllerKind: 'Widget', key: key('shop', 'w-1') });
    expect(
      read(
        '2026-11-30T07:33:11.713Z\tINFO\tcluster\tReconciling Cluster\t{"Request.Namespace": "shop", "Request.Name": "c-1"}',
      ),
    ).toMatchObject({ key: key('shop', 'c-1') });
    expect(
      read(
        '{"level":"error","ts":1796023991.5,"logger":"controller-runtime.controller","msg":"Reconciler error","controller":"widget-controller","request":"shop/w-1","error":"boom"}',
      ),
    ).toMatchObject({ controller: 'widget-controller', key: key('shop', 'w-1') });
    expect(
      read(
        '{"level":"info","ts":1796023991.5,"logger":"controller.widget","msg":"Starting workers","reconciler group":"acme.example.com","reconciler kind":"Widget","worker count":2}',
      ),
    ).toMatchObject({
      controller: 'widget',
      controllerGroup: 'acme.example.com',
      event: { kind: 'startingWorkers', workers: 2 },
    });
    const helm = read(
      '{"level":"info","ts":1796023991.5,"logger":"helm.controller","msg":"Reconciled release","namespace":"shop","name":"nginx","apiVersion":"acme.example.com/v1","kind":"Nginx","release":"nginx"}',
    );
    expect(helm).toMatchObject({ controllerKind: 'Nginx' });
    expect(
      read(
        '{"level":"info","ts":1796023991.5,"logger":"logging_event_handler","msg":"[playbook task start]","name":"m-1","namespace":"shop","gvk":"cache.example.com/v1alpha1, Kind=Memcached","event_type":"playbook_on_task_start"}',
      ),
    ).toMatchObject({
      controllerGroup: 'cache.example.com',
      controllerKind: 'Memcached',
      key: key('shop', 'm-1'),
    });
  });

  it('Istio, Rook, kopf, zerolog', () => {
    expect(read('2026-11-30T07:33:11.123456Z\terror\tads\tpush failed for ns-1')).toMatchObject({
      at: at(t + 123.456),
      level: 'error',
      logger: 'ads',
      msg: 'push failed for ns-1',
    });
    expect(
      read(
        '2026-11-30 07:33:11.123456 E | ceph-object-controller: failed to reconcile CephObjectStore "rook/store". boom',
      ),
    ).toMatchObject({ level: 'error', logger: 'ceph-object-controller' });
    expect(
      read(
        "[2026-11-30 07:33:11,123] kopf.objects         [ERROR   ] [shop/db-1] Handler 'create_fn' failed with an exception.",
      ),
    ).toMatchObject({ at: at(t + 123), level: 'error', logger: 'kopf.objects', key: key('shop', 'db-1') });
    expect(read('2026-11-30T07:33:11Z ERR main.go:12 > cannot sync error="no luck" tries=3')).toMatchObject({
      level: 'error',
      caller: 'main.go:12',
      msg: 'cannot sync',
      error: 'no luck',
      fields: { tries: '3' },
    });
    expect(read('{"level":"warn","service":"x","time":1796023991,"message":"slow"}')).toMatchObject({
      level: 'warning',
      at: { lo: 1796023991000, hi: 1796023991999 },
      msg: 'slow',
    });
  });

  it('logr: stdr with the date of the standard logger, funcr without', () => {
    expect(
      read(
        '2026/11/30 07:33:11 widget.go:40: "level"=0 "msg"="Reconciler error" "error"="boom" "controller"="widget" "namespace"="shop" "name"="w-1"',
      ),
    ).toMatchObject({
      format: 'logfmt',
      at: { lo: t },
      caller: 'widget.go:40',
      level: 'error',
      key: key('shop', 'w-1'),
      event: { kind: 'reconcilerError' },
    });
    expect(
      read(
        '"level"=5 "msg"="Reconciling" "controller"="widget" "Widget"={"name":"w-1","namespace":"shop"} "controllerKind"="Widget" "reconcileID"="r"',
      ),
    ).toMatchObject({ verbosity: 5, key: key('shop', 'w-1'), event: { kind: 'reconciling' } });
    expect(read('setup: "level"=1 "msg"="listening"')).toMatchObject({ logger: 'setup', verbosity: 1 });
  });

  it('slog: text, JSON, and the default handler', () => {
    expect(
      read('time=2026-11-30T07:33:11.250Z level=DEBUG-1 msg=Reconciling controller=widget reconcileID=r'),
    ).toMatchObject({ verbosity: 5, event: { kind: 'reconciling' } });
    expect(
      read(
        '{"time":"2026-11-30T07:33:11.25Z","level":"ERROR","source":{"function":"f","file":"a/b.go","line":7},"msg":"up"}',
      ),
    ).toMatchObject({ caller: 'a/b.go:7', level: 'error' });
    expect(read('2026/11/30 07:33:11 WARN queue is slow depth=12 controller=widget')).toMatchObject({
      level: 'warning',
      msg: 'queue is slow',
      controller: 'widget',
      fields: { depth: '12' },
    });
  });
});

test('[LG2] a time reads the same in every encoding, as fine as it is written', () => {
  const encodings: readonly [unknown, { lo: number; hi: number }][] = [
    [1796023991.125, at(t + 125)],
    [1796023991125, at(1796023991125)],
    [1796023991125000000, at(1796023991125)],
    ['1.796023991125e+09', at(1796023991125)],
    ['2026-11-30T07:33:11.125Z', at(t + 125)],
    ['2026-11-30T08:33:11.125+0100', at(t + 125)],
    ['2026-11-30T08:33:11.125+01:00', at(t + 125)],
    ['2026-11-30T07:33:11Z', { lo: t, hi: t + 999 }],
  ];
  for (const [stated, expected] of encodings) {
    for (const name of ['ts', 'time', 'timestamp', '@timestamp', 'eventTime'])
      expect(read(JSON.stringify({ [name]: stated, msg: 'x' })).at).toEqual(expected);
  }
});

test('[LG1] renamed header keys, and fields that only look like a header', () => {
  expect(
    read(
      '{"severity":"ERROR","@timestamp":"2026-11-30T07:33:11Z","name":"mgr.widget","source":"a/b.go:7","message":"m","name2":1}',
    ),
  ).toMatchObject({
    level: 'error',
    logger: 'mgr.widget',
    caller: 'a/b.go:7',
    msg: 'm',
    fields: { name2: 1 },
  });
  // zap's development keys.
  expect(read('{"L":"ERROR","T":"2026-11-30T07:33:11Z","N":"mgr","C":"a.go:7","M":"m"}')).toMatchObject({
    level: 'error',
    logger: 'mgr',
    caller: 'a.go:7',
    msg: 'm',
    fields: {},
  });
  // The operator's own field beside the header's is kept.
  expect(read('{"ts":1,"msg":"m","message":"own","source":"kind source: *v1.Pod"}').fields).toEqual({
    message: 'own',
    source: 'kind source: *v1.Pod',
  });
});

test('[LG7] what client-go controllers report', () => {
  const klog = (text: string) => read(`E1130 07:33:11.106000       1 x_controller.go:1] ${text}`);
  const cases: readonly [string, ReturnType<typeof key> | undefined, string, string | undefined][] = [
    [`error syncing 'shop/foo': boom: x, requeuing`, key('shop', 'foo'), 'syncError', 'boom: x'],
    [
      `"Unhandled Error" err="error syncing 'shop/foo': boom, requeuing" logger="UnhandledError"`,
      key('shop', 'foo'),
      'syncError',
      `error syncing 'shop/foo': boom, requeuing`,
    ],
    [
      `"Error syncing; requeuing for later retry" objectReference="shop/foo"`,
      key('shop', 'foo'),
      'syncError',
      undefined,
    ],
    [`Error syncing deployment shop/foo: boom`, key('shop', 'foo'), 'syncError', 'boom'],
    [`Error syncing StatefulSet shop/foo, requeuing: boom`, key('shop', 'foo'), 'syncError', 'boom'],
    [`Dropping deployment "shop/foo" out of the queue: boom`, key('shop', 'foo'), 'dropped', 'boom'],
    [`"Dropping object out of the queue" key="shop/foo" err="boom"`, key('shop', 'foo'), 'dropped', 'boom'],
    [`error processing "shop/foo" (will retry): boom`, key('shop', 'foo'), 'syncError', 'boom'],
    [`error processing "shop/foo" (giving up): boom`, key('shop', 'foo'), 'dropped', 'boom'],
    [`failed to sync "shop/foo": boom`, key('shop', 'foo'), 'syncError', 'boom'],
    [`error syncing 'node-1': boom`, key('', 'node-1'), 'syncError', 'boom'],
  ];
  for (const [text, about, event, error] of cases) {
    const entry = klog(text);
    expect([text, entry.key, entry.event?.kind, entry.error]).toEqual([text, about, event, error]);
  }
  for (const text of ['syncing caches', 'Sync of 12 items', 'error syncing clocks of all nodes: boom'])
    expect([text, klog(text).key]).toEqual([text, undefined]);
});

test('[LG7] starts and leader election', () => {
  const event = (msg: string) => read(JSON.stringify({ level: 'info', ts: 1, msg, controller: 'c' })).event;
  expect(event('Starting deployment controller')).toEqual({ kind: 'startingClassicController' });
  expect(event('starting controller')).toEqual({ kind: 'startingClassicController' });
  expect(event('Started workers')).toEqual({ kind: 'startingWorkers' });
  expect(event('attempting to acquire leader lease ops/lock...')).toEqual({
    kind: 'leader',
    state: 'trying',
  });
  expect(event('successfully acquired lease ops/lock')).toEqual({ kind: 'leader', state: 'leading' });
  expect(event('failed to renew lease ops/lock: timed out waiting for the condition')).toEqual({
    kind: 'leader',
    state: 'renewFailed',
  });
  expect(event('leader election lost')).toEqual({ kind: 'leader', state: 'lost' });
  expect(event('stopped leading')).toEqual({ kind: 'leader', state: 'lost' });
  expect(event('leader of the pack')).toBeUndefined();
});

test('[LG7] only the words of controller-runtime itself begin and end a run', () => {
  const zap = (level: string, msg: string, more = '') =>
    read(
      `{"level":"${level}","ts":1,${more}"msg":"${msg}","controller":"c","name":"n","namespace":"ns","reconcileID":"r"}`,
    ).event;
  expect(zap('Level(-5)', 'Reconciling')).toEqual({ kind: 'reconciling' });
  expect(zap('info', 'Reconciling')).toBeUndefined();
  expect(zap('debug', 'Reconciling')).toBeUndefined();
  expect(zap('info', 'Reconcile successful')).toBeUndefined();
  expect(zap('info', 'Reconcile done, requeueing after 3s')).toBeUndefined();
  expect(zap('info', 'Start reconciling')).toBeUndefined();
  expect(zap('info', 'Reconciling Widget')).toBeUndefined();
  // An encoder that folds the V levels into one: the place in the code tells.
  expect(zap('debug', 'Reconciling', '"caller":"controller/controller.go:286",')).toEqual({
    kind: 'reconciling',
  });
  expect(zap('debug', 'Reconciling', '"caller":"controller/widget_controller.go:86",')).toBeUndefined();
  const klog = (file: string) =>
    read(`I1130 07:33:11.1 1 ${file}:1] "Reconciling" controller="c" namespace="ns" name="n" reconcileID="r"`)
      .event;
  expect(klog('controller.go')).toEqual({ kind: 'reconciling' });
  expect(klog('widget.go')).toBeUndefined();
});

test('[LG6] what an Event is about is a key only of the kind that is reconciled', () => {
  const line = (kind: string, controllerKind?: string) =>
    read(
      JSON.stringify({
        level: 'debug',
        ts: '2026-03-10T14:00:00Z',
        logger: 'events',
        msg: 'pod-0 became leader',
        type: 'Normal',
        object: { kind, namespace: 'ops', name: 'lock', apiVersion: 'v1' },
        reason: 'LeaderElection',
        ...(controllerKind === undefined ? {} : { controller: 'x', controllerKind }),
      }),
    ).key;
  expect(line('Lease')).toBeUndefined();
  expect(line('Lease', 'Database')).toBeUndefined();
  expect(line('Database', 'Database')).toEqual({ namespace: 'ops', name: 'lock' });
});

test('[LG6] what is not surely the key is none', () => {
  const of = (fields: object) => read(JSON.stringify({ ts: 1, msg: 'm', ...fields })).key;
  expect(of({ key: 'monitoring' })).toBeUndefined();
  expect(of({ resource: 'pods' })).toBeUndefined();
  expect(of({ key: 'a/b/c' })).toBeUndefined();
  expect(of({ controller: 'c', namespace: '', name: '' })).toBeUndefined();
  expect(
    of({ controller: 'widget', controllerKind: 'Widget', Widget: '{...}', name: 'w', namespace: 'ns' }),
  ).toEqual(key('ns', 'w'));
  expect(of({ 'controller-kind': 'Widget', widget: 'ns/w', name: 'child', namespace: 'other' })).toEqual(
    key('ns', 'w'),
  );
  expect(of({ Controller: 'widget', Widget: { name: 'w', namespace: 'ns' } })).toEqual(key('ns', 'w'));
});

test('[LG12] what stands before the line is taken off, and dates it finer', () => {
  const json =
    '{"level":"error","ts":"2026-11-30T07:33:11Z","msg":"Reconciler error","controller":"c","object":{"name":"n","namespace":"ns"}}';
  const pod = 'widget-controller-7d9f8b6c5-abcde';
  const cases: readonly [string, object][] = [
    [`2026-11-30T07:33:11.123456789Z stderr F ${json}`, { stream: 'stderr' }],
    [`2026-11-30T07:33:11.123456789Z ${json}`, {}],
    [`[pod/${pod}/manager] 2026-11-30T07:33:11.123456789Z ${json}`, { pod, container: 'manager' }],
    [`${pod} manager 2026-11-30T07:33:11.123456789Z ${json}`, { pod, container: 'manager' }],
    [
      `ops ${pod} manager 2026-11-30T07:33:11.123456789Z ${json}`,
      { namespace: 'ops', pod, container: 'manager' },
    ],
    [
      JSON.stringify({ log: `${json}\n`, stream: 'stderr', time: '2026-11-30T07:33:11.123456789Z' }),
      { stream: 'stderr' },
    ],
  ];
  for (const [line, prefix] of cases) {
    const entry = read(line);
    expect([line, entry.event, entry.key]).toEqual([line, { kind: 'reconcilerError' }, key('ns', 'n')]);
    expect(entry.prefix).toMatchObject(prefix);
    expect(entry.at?.lo).toBeCloseTo(t + 123.456789, 3);
    expect(entry.at?.hi).toBe(entry.at?.lo);
  }
  expect(read(`\u001b[32m${pod}\u001b[0m \u001b[36mmanager\u001b[0m ${json}`).prefix).toEqual({
    pod,
    container: 'manager',
  });
  expect(read(`manager-1  | ${json}`)).toMatchObject({
    prefix: { container: 'manager-1' },
    key: key('ns', 'n'),
  });
  expect(read(`[pod/${pod}/manager] \tmain.go:7`)).toMatchObject({ continues: true, prefix: { pod } });
  // A stamp that is not within the second the line states is somebody else's clock.
  expect(read(`2026-11-30T07:33:15.5Z stderr F ${json}`).at).toEqual({ lo: t, hi: t + 999 });
  // The time of a console line is its own.
  expect(read('2026-11-30T07:33:11.5Z\tINFO\tsetup\tup').prefix).toBeUndefined();
  expect(read('two words and more').prefix).toBeUndefined();
});

test('[LG15] a piece that the runtime cut says nothing but its text', () => {
  const entry = read('2026-11-30T07:33:11.1Z stdout P level=info msg="x" key=shop/fro');
  expect(entry).toMatchObject({
    format: 'text',
    msg: 'level=info msg="x" key=shop/fro',
    prefix: { partial: true },
  });
  expect(entry.key).toBeUndefined();
});

test('[LG15] what is broken or huge stays as text', () => {
  expect(read('\u0000\u0000\u0000{"level":"info","ts":1,"msg":"up"}')).toMatchObject({
    format: 'json',
    msg: 'up',
  });
  expect(read('\ufeff{"level":"info","ts":1,"msg":"up"}')).toMatchObject({ format: 'json', msg: 'up' });
  expect(read('{"level":"info","ts":1,"msg":"\ufffd\ufffd"}\r')).toMatchObject({ msg: '\ufffd\ufffd' });
  const line = `{"level":"info","ts":1,"msg":"${'x'.repeat(2_000_000)}"}`;
  const huge = read(line);
  expect(huge.format).toBe('text');
  expect(huge.msg.length + (huge.cut ?? 0)).toBe(line.length);
  expect(huge.msg.length).toBeLessThan(100_000);
  expect(read(`${'['.repeat(200_000)}`).format).toBe('text');
});

test('[LG13] lines that belong to the one before', () => {
  const yes = [
    '\tsigs.k8s.io/controller-runtime@v0.24.1/pkg/internal/controller/controller.go:312',
    'sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).reconcileHandler',
    'sigs.k8s.io/jobset/pkg/controllers.(*JobSetReconciler).updateJobSetStatus',
    'goroutine 88 [running]:',
    'goroutine 1 gp=0xc000002380 m=0 mp=0x5a [chan receive, 2 minutes]:',
    'main.main()',
    'panic({0x1a2b3c4, 0xc000123456})',
    'k8s.io/apimachinery/pkg/util/runtime.HandleCrash({0x0, 0x0, 0xc0?})',
    'created by sigs.k8s.io/controller-runtime/pkg/manager.(*runnableGroup).reconcile in goroutine 12',
    '[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x1]',
    'exit status 2',
    '',
    ' > logger="x"',
    '}',
  ];
  const no = [
    'panic: runtime error: invalid memory address or nil pointer dereference',
    'Starting the server',
    'done.',
    'https://example.com/a.b(c)',
    'I1130 07:33:11.1 1 a.go:1] "x"',
  ];
  for (const line of yes) expect([line, read(line).continues]).toEqual([line, true]);
  for (const line of no) expect([line, read(line).continues]).toEqual([line, undefined]);
  expect(read('panic: boom [recovered]').event).toEqual({ kind: 'panic' });
});

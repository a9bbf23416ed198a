import type { Message } from '../message.ts';

/** The recorded incidents: cards of the start page, and the guided tours. */
export const demo = {
  'demo.status-forbidden.title': { en: 'Status write forbidden', zh: '状态写入被拒绝' },
  'demo.status-forbidden.text': {
    en: 'A helm upgrade takes a right away, and Ready is never told again',
    zh: '一次 helm 升级拿走了一项权限，Ready 从此不再更新',
  },
  'demo.hot-loop.title': { en: 'Woken by its own write', zh: '被自己的写入唤醒' },
  'demo.hot-loop.text': {
    en: 'Each status write starts the next reconcile, with no spec change',
    zh: '每次写状态都触发下一次 reconcile，而 spec 没有变化',
  },
  'demo.finalizer-orphaned.title': {
    en: 'Finalizer outlives its operator',
    zh: 'Finalizer 比 Operator 活得更久',
  },
  'demo.finalizer-orphaned.text': {
    en: 'A deleted Database stays: nobody runs who would let it go',
    zh: '已删除的 Database 仍然存在：能放行它的程序已不在运行',
  },
  'demo.parked-retry.title': { en: 'Parked at the cap', zh: '停在重试上限' },
  'demo.parked-retry.text': {
    en: 'The Secret exists, and the operator still waits out its retry',
    zh: 'Secret 已存在，Operator 仍在等待下一次重试',
  },
  'demo.length': { en: '{n} step, {minutes} min||{n} steps, {minutes} min', zh: '{n} 步，{minutes} 分钟' },

  'tour.name': { en: 'Guided tour', zh: '导览' },
  'tour.region': { en: 'Guided tour: {demo}', zh: '导览：{demo}' },
  'tour.step': { en: 'Step {step} of {count}', zh: '第 {step} 步，共 {count} 步' },
  'tour.announce': {
    en: 'Step {step} of {count}. {title}. {text}',
    zh: '第 {step} 步，共 {count} 步。{title}。{text}',
  },
  'tour.next': { en: 'Next', zh: '下一步' },
  'tour.back': { en: 'Back', zh: '上一步' },
  'tour.finish': { en: 'Finish', zh: '完成' },
  'tour.leave': { en: 'Leave the tour', zh: '离开导览' },
  'tour.reopen': { en: 'Tour', zh: '导览' },
  'tour.end.title': { en: 'The end of this tour', zh: '本次导览到此结束' },
  'tour.end.text': {
    en: 'On a live cluster every view works as it did here. Loopscope only reads.',
    zh: '连接真实集群时，每个视图都与此处相同。Loopscope 只读取。',
  },
  'tour.end.more': { en: 'Another incident', zh: '其他事件' },
  'tour.end.connect': { en: 'Connect a cluster', zh: '连接集群' },
  'tour.end.behind': { en: 'Back to {context}', zh: '返回 {context}' },
  'tour.end.stay': { en: 'Stay here', zh: '留在此处' },
  'command.tour.start': { en: 'Guided tour of this recording', zh: '此录制的导览' },
  'command.tour.next': { en: 'Tour: next step', zh: '导览：下一步' },
  'command.tour.back': { en: 'Tour: step back', zh: '导览：上一步' },

  'tour.status-forbidden.keys.title': { en: 'Start with the red key', zh: '从红色的 key 开始' },
  'tour.status-forbidden.keys.text': {
    en: 'Every Database of the operator is a line here, worst first. orders-db fails again and again; beside it stands when it runs next.',
    zh: '该 Operator 的每个 Database 在此占一行，最差的在前。orders-db 反复失败；旁边是它下次运行的时间。',
  },
  'tour.status-forbidden.why.title': { en: 'The sentence', zh: '一句话' },
  'tour.status-forbidden.why.text': {
    en: 'A chosen key that is not Ready opens at Why: one sentence with the cause, the object and the time. The mark beside it says how this is known.',
    zh: '选中未 Ready 的 key 会打开“原因”：一句话说明原因、对象与时间。旁边的标记说明依据是什么。',
  },
  'tour.status-forbidden.cause.title': { en: 'The cause comes first', zh: '原因在最前' },
  'tour.status-forbidden.cause.text': {
    en: 'The chain reads from the cause to the effect. At its root helm changed a ClusterRole, before anything failed. Each chip leads to the record behind it.',
    zh: '链条从原因读到结果。根源是 helm 修改了一个 ClusterRole，早于任何失败。每个标签都通向其背后的记录。',
  },
  'tour.status-forbidden.gap.title': { en: 'The missing right', zh: '缺失的权限' },
  'tour.status-forbidden.gap.text': {
    en: 'RBAC compares what the operator needs with what it is granted. Gaps come first: databases/status, refused, granted by no role.',
    zh: 'RBAC 比较 Operator 需要的与被授予的权限。缺口在前：databases/status 被拒绝，没有角色授予它。',
  },
  'tour.status-forbidden.evidence.title': { en: 'What it rests on', zh: '依据' },
  'tour.status-forbidden.evidence.text': {
    en: 'The finding keeps its evidence: log lines with the refused writes, the role without the rule. Half-filled marks were reported by the operator, full ones observed.',
    zh: '诊断结果保留其依据：写入被拒绝的日志行、缺少规则的角色。半填充标记来自 Operator 的报告，全填充来自观测。',
  },
  'tour.status-forbidden.queue.title': { en: 'Silence is backoff', zh: '安静是因为退避' },
  'tour.status-forbidden.queue.text': {
    en: 'Between two failures nothing happens: the key waits, twice as long each time. The axis shows the delay and what is left of it.',
    zh: '两次失败之间什么也不发生：key 在等待，每次时长加倍。轴上显示延迟与剩余时间。',
  },
  'tour.status-forbidden.fix.title': { en: 'Copy the fix', zh: '复制修复' },
  'tour.status-forbidden.fix.text': {
    en: 'The smallest patch that closes the gap, and the kubebuilder marker for the source. You copy and apply it; Loopscope never writes.',
    zh: '补上缺口的最小补丁，以及写入源码的 kubebuilder 标记。由你复制并应用；Loopscope 从不写入。',
  },
  'tour.status-forbidden.next.title': { en: 'Then watch it', zh: '继续观察' },
  'tour.status-forbidden.next.text': {
    en: 'The recording plays: a second key starts to fail, and the next attempt of orders-db comes when it was predicted. Pause, speed and the whole stretch are down here.',
    zh: '录制正在播放：第二个 key 开始失败，orders-db 的下一次重试按预测到来。暂停、速度与整段时间都在下方。',
  },

  'tour.hot-loop.calm.title': { en: 'From calm to busy', zh: '从平静到忙碌' },
  'tour.hot-loop.calm.text': {
    en: 'Two Ready Databases, nothing to do. At 15 s helm brings version 1.1.0 of the operator, and from then on both change again and again.',
    zh: '两个 Ready 的 Database，无事可做。第 15 秒 helm 带来 Operator 的 1.1.0 版本，此后两者不断变化。',
  },
  'tour.hot-loop.versions.title': { en: 'Who writes', zh: '谁在写' },
  'tour.hot-loop.versions.text': {
    en: 'The history of orders-db: version after version, all by database-operator, all of the status. The generation stands still, so nobody changed the spec.',
    zh: 'orders-db 的历史：一个又一个版本，全部由 database-operator 写入状态。generation 不变，说明没有人修改 spec。',
  },
  'tour.hot-loop.diff.title': { en: 'What flips', zh: '什么在变' },
  'tour.hot-loop.diff.text': {
    en: 'From one version to the next a single field differs: status.lastReconcileTime. The operator writes the time of the write.',
    zh: '相邻版本之间只有一个字段不同：status.lastReconcileTime。Operator 写入的是写入时间本身。',
  },
  'tour.hot-loop.deployment.title': { en: 'Since when', zh: '从何时起' },
  'tour.hot-loop.deployment.text': {
    en: 'Events of every kind stand in one list, and the filter finds what helm wrote: the new image, right before the first of these writes.',
    zh: '各种对象的事件都在同一列表中，筛选即可找到 helm 的写入：新的镜像，就在第一次这种写入之前。',
  },
  'tour.hot-loop.queue.title': { en: 'Each write wakes the next run', zh: '每次写入唤醒下一次运行' },
  'tour.hot-loop.queue.text': {
    en: 'The model of the queue: the write is an event, the event is a key, the key is a run, the run is a write. No retry and no failure is part of it.',
    zh: '队列模型：写入产生事件，事件产生 key，key 引起运行，运行又写入。其中没有重试，也没有失败。',
  },

  'tour.finalizer-orphaned.keys.title': { en: 'It was deleted, and is here', zh: '已删除，却仍在' },
  'tour.finalizer-orphaned.keys.text': {
    en: 'reports-db was deleted at 30 s and has not gone. Its key carries the mark of a deletion under way.',
    zh: 'reports-db 在第 30 秒被删除，却没有消失。它的 key 带有正在删除的标记。',
  },
  'tour.finalizer-orphaned.sentence.title': { en: 'What holds it', zh: '是什么拦住了它' },
  'tour.finalizer-orphaned.sentence.text': {
    en: 'Ownership names the finalizer that is left, and whose it is: the operator would take it away, and does not run.',
    zh: '“从属”指出剩下的 finalizer 及其归属：应由 Operator 移除，而它没有运行。',
  },
  'tour.finalizer-orphaned.graph.title': { en: 'The picture', zh: '关系图' },
  'tour.finalizer-orphaned.graph.text': {
    en: 'What the Database owns stays with it. Dashed red is who should act and does not run; the arrow shows what it holds.',
    zh: 'Database 拥有的对象与它一同留下。红色虚线框是应当行动却未运行的一方；箭头指向它所拦住的对象。',
  },
  'tour.finalizer-orphaned.scaled.title': { en: 'Why nobody runs', zh: '为何没有人运行' },
  'tour.finalizer-orphaned.scaled.text': {
    en: 'Filtered to what kubectl wrote to Deployments: at 12 s it set the replicas to 0, 18 seconds before the deletion.',
    zh: '筛选 kubectl 对 Deployment 的写入：第 12 秒它将副本数设为 0，比删除早 18 秒。',
  },
  'tour.finalizer-orphaned.deleted.title': { en: 'The last version', zh: '最后一个版本' },
  'tour.finalizer-orphaned.deleted.text': {
    en: 'The deletion only set deletionTimestamp. No write came after it: the API server waits until the list of finalizers is empty.',
    zh: '删除只是设置了 deletionTimestamp。此后没有任何写入：API server 会一直等到 finalizers 列表为空。',
  },
  'tour.finalizer-orphaned.waysOut.title': { en: 'Ways out', zh: '出路' },
  'tour.finalizer-orphaned.waysOut.text': {
    en: 'Start the operator again and it lets go in order. Removing the finalizer by hand works too; what would be lost is said beside it.',
    zh: '重新启动 Operator，它会按顺序放行。也可手动移除 finalizer；旁边写明了会失去什么。',
  },

  'tour.parked-retry.keys.title': { en: 'A key that fails', zh: '一个失败的 key' },
  'tour.parked-retry.keys.text': {
    en: 'reports-db was made at 10 s and has failed since. Beside it stands when it runs next, by the limiter that loopscope.yaml names.',
    zh: 'reports-db 在第 10 秒创建，此后一直失败。旁边是下次运行时间，依据 loopscope.yaml 中的限速器。',
  },
  'tour.parked-retry.why.title': {
    en: 'The sentence',
    zh: '一句话',
  },
  'tour.parked-retry.why.text': {
    en: 'It is not Ready, and not every failure is tried again at once: the sentence says how long it waits by now.',
    zh: '它未 Ready，而且失败后不会立即重试：这句话说明现在要等多久。',
  },
  'tour.parked-retry.cap.title': { en: 'At the cap', zh: '到达上限' },
  'tour.parked-retry.cap.text': {
    en: 'The limiter doubles from 1 s to its cap of 60 s, and the key has reached it. From here each failure costs a minute.',
    zh: '限速器从 1 秒加倍到 60 秒的上限，该 key 已到达上限。从此每次失败都要等一分钟。',
  },
  'tour.parked-retry.secret.title': { en: 'Now the Secret comes', zh: '现在 Secret 出现了' },
  'tour.parked-retry.secret.text': {
    en: 'At 85 s somebody makes reports-admin. Loopscope keeps the name of a Secret and never its content.',
    zh: '第 85 秒有人创建了 reports-admin。Loopscope 只保留 Secret 的名称，从不保留内容。',
  },
  'tour.parked-retry.parked.title': { en: 'And nobody wakes', zh: '却没有人被唤醒' },
  'tour.parked-retry.parked.text': {
    en: 'The Database does not own that Secret, so its event maps to no key. Everything is there, and the retry stays parked until its time.',
    zh: '该 Secret 不属于这个 Database，它的事件不对应任何 key。一切都已就绪，重试仍停到预定时间。',
  },
  'tour.parked-retry.runs.title': { en: 'The retry, as predicted', zh: '重试如预测到来' },
  'tour.parked-retry.runs.text': {
    en: 'At 133 s the attempt comes and Ready turns True, 48 seconds late. In the source: watch the Secrets that a Database names.',
    zh: '第 133 秒重试到来，Ready 变为 True，晚了 48 秒。在源码中：watch Database 引用的 Secret。',
  },
  'tour.hot-loop.why.title': {
    en: 'What is wrong when all is Ready',
    zh: '全部 Ready，问题在哪',
  },
  'tour.hot-loop.why.text': {
    en: 'No condition tells of this. Why does: the operator writes the status, the write wakes it, and one field differs each time.',
    zh: '没有任何 condition 说明此事。“原因”给出了答案：Operator 写入状态，写入又唤醒它，每次只有一个字段不同。',
  },
  'tour.hot-loop.fix.title': {
    en: 'Where it is mended',
    zh: '在哪里修复',
  },
  'tour.hot-loop.fix.text': {
    en: 'In the source: compare before writing, or filter with GenerationChangedPredicate, which 1.0.0 had. Loopscope never writes.',
    zh: '在源码中：写之前先比较，或用 1.0.0 曾有的 GenerationChangedPredicate 过滤。Loopscope 从不写入。',
  },
  'tour.parked-retry.lacks.title': {
    en: 'What it lacks',
    zh: '它缺什么',
  },
  'tour.parked-retry.lacks.text': {
    en: 'The cause, in the operator’s own words: the Secret reports-admin is not there. First and latest error are a chip away.',
    zh: '原因，用 Operator 自己的话说：Secret reports-admin 不存在。点击标签可看到首次与最近的错误。',
  },
} as const satisfies Readonly<Record<string, Message>>;

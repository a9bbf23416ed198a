import type { Message } from '../message.ts';

/**
 * The landing page of an object. `why.<id>` for every id of shared/model/whySentences.ts; `[[ … ]]` is what the sentence
 * turns on, coloured by the state of the object. Below them the words of the page itself.
 */
export const why = {
  'why.question.notReady': { en: 'Why is {name} not Ready?', zh: '{name} 为什么没有 Ready？' },
  'why.question.deleting': { en: 'Why is {name} not gone?', zh: '{name} 为什么还没有消失？' },
  'why.question.again': { en: 'Why does {name} run again and again?', zh: '{name} 为什么反复运行？' },
  'why.question.stale': {
    en: 'Why is the status of {name} out of date?',
    zh: '{name} 的 status 为什么过时了？',
  },
  'why.question.ready': { en: 'How is {name}?', zh: '{name} 状态如何？' },
  'why.question.open': { en: 'What is known of {name}?', zh: '关于 {name} 已知什么？' },

  'why.verdict.unknownObject': {
    en: 'No object {name} was seen in this session.',
    zh: '本次会话中没有看到对象 {name}。',
  },
  'why.verdict.gone': { en: '{name} was deleted at {goneAt}.', zh: '{name} 已在 {goneAt} 被删除。' },
  'why.verdict.metadata': {
    en: 'Of {name} only metadata was read so far.',
    zh: '目前只读取了 {name} 的元数据。',
  },
  'why.verdict.forbidden': {
    en: 'Not evaluated: {kind} objects may not be listed.',
    zh: '未评估：无权列出 {kind} 对象。',
  },
  'why.verdict.noCause': {
    en: 'No cause is known for {name}.',
    zh: '{name} 没有已知的原因。',
  },
  'why.verdict.noStatus': {
    en: '{name} has no conditions: its status says nothing of being Ready.',
    zh: '{name} 没有 conditions：其 status 未说明是否 Ready。',
  },
  'why.verdict.refused.lost': {
    en: '{type} stays [[{status}]] because every status write is refused: {operator} lost [[{verb} on {resource}]] at {lostAt}.',
    zh: '{type} 一直是 [[{status}]]：每次状态写入都被拒绝。{operator} 在 {lostAt} 失去了 [[{resource} 的 {verb} 权限]]。',
  },
  'why.verdict.refused.missing': {
    en: '{type} stays [[{status}]] because every status write is refused: {operator} is not granted [[{verb} on {resource}]].',
    zh: '{type} 一直是 [[{status}]]：每次状态写入都被拒绝。{operator} 没有 [[{resource} 的 {verb} 权限]]。',
  },
  'why.verdict.stale.lost': {
    en: 'The stored status of {name} is [[out of date]]: every status write since {refusedAt} is refused, because {operator} lost [[{verb} on {resource}]] at {lostAt}.',
    zh: '{name} 存储的 status [[已过时]]：自 {refusedAt} 起每次状态写入都被拒绝，因为 {operator} 在 {lostAt} 失去了 [[{resource} 的 {verb} 权限]]。',
  },
  'why.verdict.stale.missing': {
    en: 'The stored status of {name} is [[out of date]]: every status write since {refusedAt} is refused, because {operator} is not granted [[{verb} on {resource}]].',
    zh: '{name} 存储的 status [[已过时]]：自 {refusedAt} 起每次状态写入都被拒绝，因为 {operator} 没有 [[{resource} 的 {verb} 权限]]。',
  },
  'why.verdict.stale.age.lost': {
    en: 'The stored status of {name} is [[{writtenForAt} old]]: every status write since {refusedAt} is refused, because {operator} lost [[{verb} on {resource}]] at {lostAt}.',
    zh: '{name} 存储的 status 是 [[{writtenForAt}前]]的：自 {refusedAt} 起每次状态写入都被拒绝，因为 {operator} 在 {lostAt} 失去了 [[{resource} 的 {verb} 权限]]。',
  },
  'why.verdict.stale.age.missing': {
    en: 'The stored status of {name} is [[{writtenForAt} old]]: every status write since {refusedAt} is refused, because {operator} is not granted [[{verb} on {resource}]].',
    zh: '{name} 存储的 status 是 [[{writtenForAt}前]]的：自 {refusedAt} 起每次状态写入都被拒绝，因为 {operator} 没有 [[{resource} 的 {verb} 权限]]。',
  },
  'why.verdict.stale.generation.lost': {
    en: 'The stored status of {name} speaks of [[generation {observed}, not {generation}]]: every status write since {refusedAt} is refused, because {operator} lost [[{verb} on {resource}]] at {lostAt}.',
    zh: '{name} 存储的 status 说的是 [[generation {observed}，而不是 {generation}]]：自 {refusedAt} 起每次状态写入都被拒绝，因为 {operator} 在 {lostAt} 失去了 [[{resource} 的 {verb} 权限]]。',
  },
  'why.verdict.stale.generation.missing': {
    en: 'The stored status of {name} speaks of [[generation {observed}, not {generation}]]: every status write since {refusedAt} is refused, because {operator} is not granted [[{verb} on {resource}]].',
    zh: '{name} 存储的 status 说的是 [[generation {observed}，而不是 {generation}]]：自 {refusedAt} 起每次状态写入都被拒绝，因为 {operator} 没有 [[{resource} 的 {verb} 权限]]。',
  },
  'why.verdict.held.gone': {
    en: '{name} is not gone because [[{operator} is not running]]: nobody else removes its finalizer {finalizer}.',
    zh: '{name} 没有消失，因为 [[{operator} 没有运行]]：finalizer {finalizer} 没有其他组件会移除。',
  },
  'why.verdict.held.failing': {
    en: '{name} is not gone because {operator} fails to remove [[{finalizer}]]: {n} attempt failed.||{name} is not gone because {operator} fails to remove [[{finalizer}]]: {n} attempts failed.',
    zh: '{name} 没有消失，因为 {operator} 未能移除 [[{finalizer}]]：已失败 {n} 次。',
  },
  'why.verdict.held.unknown': {
    en: '{name} is not gone because its finalizer [[{finalizer}]] is still there, and no operator seen here is known to remove it.',
    zh: '{name} 没有消失，因为 finalizer [[{finalizer}]] 仍在，而此处看到的 Operator 中没有已知会移除它的。',
  },
  'why.verdict.deleting': {
    en: '{name} is being deleted for {deletedForAt}. It goes when {finalizers} is removed.',
    zh: '{name} 已删除 {deletedForAt}，等 {finalizers} 移除后即消失。',
  },
  'why.verdict.deleting.free': {
    en: '{name} is being deleted for {deletedForAt}. No finalizer holds it.',
    zh: '{name} 已删除 {deletedForAt}，没有 finalizer 阻止它。',
  },
  'why.verdict.notRunning': {
    en: 'Nobody looks at {name}: [[{operator} is not running]].',
    zh: '没有组件处理 {name}：[[{operator} 没有运行]]。',
  },
  'why.verdict.hotLoop.flips': {
    en: '{operator} wakes itself: it writes the status of {name} [[{n} time a minute]], and each time [[{field}]] differs.||{operator} wakes itself: it writes the status of {name} [[{n} times a minute]], and each time [[{field}]] differs.',
    zh: '{operator} 在唤醒自己：它[[每分钟 {n} 次]]写入 {name} 的 status，每次 [[{field}]] 都不同。',
  },
  'why.verdict.hotLoop': {
    en: '{operator} wakes itself: it writes the status of {name} [[{n} time a minute]] although nothing else changes.||{operator} wakes itself: it writes the status of {name} [[{n} times a minute]] although nothing else changes.',
    zh: '{operator} 在唤醒自己：它[[每分钟 {n} 次]]写入 {name} 的 status，尽管没有其他变化。',
  },
  'why.verdict.parked': {
    en: 'The retry of {name} is [[parked]]: after {n} failure it comes only every {capMs}.||The retry of {name} is [[parked]]: after {n} failures it comes only every {capMs}.',
    zh: '{name} 的重试已[[停放]]：失败 {n} 次后，每 {capMs}才重试一次。',
  },
  'why.verdict.parked.mended': {
    en: '{what} is there now, but {name} does not know: its retry is [[parked]] and waits {capMs}.',
    zh: '{what} 现已存在，但 {name} 尚不知道：其重试已[[停放]]，要等 {capMs}。',
  },
  'why.verdict.retrying': {
    en: 'Reconciling {name} fails, {n} time in a row: [[{error}]]||Reconciling {name} fails, {n} times in a row: [[{error}]]',
    zh: '{name} 的 reconcile 连续失败 {n} 次：[[{error}]]',
  },
  'why.verdict.retrying.about': {
    en: 'Reconciling {name} fails, about {n} time in a row: [[{error}]]||Reconciling {name} fails, about {n} times in a row: [[{error}]]',
    zh: '{name} 的 reconcile 连续失败约 {n} 次：[[{error}]]',
  },
  'why.verdict.generation': {
    en: 'Generation {generation} of {name} is [[not acknowledged]] for {changedForAt}: its status speaks of generation {observed}.',
    zh: '{name} 的 generation {generation} 已有 {changedForAt} [[未被确认]]：其 status 说的仍是 generation {observed}。',
  },
  'why.verdict.condition': {
    en: '{type} is [[{status}]] for {sinceForAt}. The operator gives the reason [[{reason}]].',
    zh: '{type} 为 [[{status}]] 已有 {sinceForAt}。Operator 给出的原因是 [[{reason}]]。',
  },
  'why.verdict.condition.bare': {
    en: '{type} is [[{status}]] for {sinceForAt}. The operator gives no reason.',
    zh: '{type} 为 [[{status}]] 已有 {sinceForAt}。Operator 没有给出原因。',
  },
  'why.verdict.progressing': {
    en: '{name} is being worked on: {type}, [[{reason}]].',
    zh: '{name} 正在处理中：{type}，[[{reason}]]。',
  },
  'why.verdict.working': { en: '{name} is being worked on.', zh: '{name} 正在处理中。' },
  'why.verdict.ready': {
    en: '{name} is [[{type}]] since {sinceAt}.',
    zh: '{name} 自 {sinceAt} 起 [[{type}]]。',
  },
  'why.verdict.ready.open': { en: '{name} is [[{type}]].', zh: '{name} 已 [[{type}]]。' },

  'why.step.roleLost': { en: '{role} lost {resource}', zh: '{role} 少了 {resource}' },
  'why.step.roleLost.by': {
    en: 'Changed by manager {manager}. No other role grants it.',
    zh: '由 {manager} 修改。没有其他角色授予该权限。',
  },
  'why.step.roleLost.release': {
    en: 'Changed by manager {manager} (release {release}). No other role grants it.',
    zh: '由 {manager} 修改（release {release}）。没有其他角色授予该权限。',
  },
  'why.step.roleLost.unread': {
    en: 'Roles could not be read, so which one lacks it is not known.',
    zh: '无法读取角色，因此不知道缺少的是哪一个。',
  },
  'why.step.bindingLost': {
    en: '{binding} no longer counts for {operator}',
    zh: '{binding} 不再对 {operator} 生效',
  },
  'why.step.noGrant': {
    en: 'No role grants {operator} {verb} on {resource}',
    zh: '没有角色授予 {operator} 对 {resource} 的 {verb} 权限',
  },
  'why.step.noGrant.detail': {
    en: 'The nearest place for it is {role}. It was so when recording began.',
    zh: '最近的位置是 {role}。录制开始时就已如此。',
  },
  'why.step.refusals': {
    en: 'So every status write since then is refused: 403, {n} time||So every status write since then is refused: 403, {n} times',
    zh: '因此此后每次状态写入都被拒绝：403，共 {n} 次',
  },
  'why.step.refusals.since': {
    en: 'So every status write seen is refused: 403, {n} time||So every status write seen is refused: 403, {n} times',
    zh: '因此看到的每次状态写入都被拒绝：403，共 {n} 次',
  },
  'why.step.refusals.owned': {
    en: 'What it owns is ready, {owned}; the status cannot say so.',
    zh: '其所属对象已就绪（{owned}），但 status 无法写明。',
  },
  'why.step.refusals.range': {
    en: 'The first at {firstAt}, the latest at {lastAt}.',
    zh: '首次在 {firstAt}，最近一次在 {lastAt}。',
  },
  'why.step.stored': {
    en: 'So {type}={status}, reason {reason}, is still what is stored',
    zh: '因此存储的仍是 {type}={status}，reason {reason}',
  },
  'why.step.stored.bare': {
    en: 'So {type}={status} is still what is stored',
    zh: '因此存储的仍是 {type}={status}',
  },
  'why.step.stored.none': { en: 'So the status stays empty', zh: '因此 status 仍为空' },
  'why.step.stored.since': {
    en: 'Last accepted status write at {writtenExactAt}, rv {rv}. The stored status is {writtenForAt} old.',
    zh: '最后一次成功的状态写入在 {writtenExactAt}，rv {rv}。所存状态已过去 {writtenForAt}。',
  },
  'why.step.stored.unseen': {
    en: 'No accepted status write was seen in this session.',
    zh: '本次会话中没有看到成功的状态写入。',
  },
  'why.step.deletion': { en: 'Its deletion was asked for', zh: '已请求删除它' },
  'why.step.deletion.detail': {
    en: 'Kubernetes keeps it until its finalizers are removed: {finalizers}.',
    zh: 'Kubernetes 会保留它，直到 finalizer 移除：{finalizers}。',
  },
  'why.step.handlerGone': {
    en: 'So {operator} has to remove {finalizer}, and it is not running',
    zh: '因此需由 {operator} 移除 {finalizer}，而它没有运行',
  },
  'why.step.handlerGone.detail': { en: 'What is seen of it: {detail}.', zh: '所见情况：{detail}。' },
  'why.step.handlerFails': {
    en: 'So {operator} tries to remove {finalizer} and fails, {n} time||So {operator} tries to remove {finalizer} and fails, {n} times',
    zh: '因此 {operator} 尝试移除 {finalizer}，失败 {n} 次',
  },
  'why.step.handlerUnknown': {
    en: 'So it waits for whoever removes {finalizer}',
    zh: '因此它在等待移除 {finalizer} 的组件',
  },
  'why.step.handlerUnknown.setBy': {
    en: '{manager} set it; no operator of that name is known here.',
    zh: '由 {manager} 设置；此处没有该名称的 Operator。',
  },
  'why.step.handlerUnknown.unset': {
    en: 'managedFields do not say who set it.',
    zh: 'managedFields 未说明由谁设置。',
  },
  'why.step.handlerRuns': {
    en: 'So {operator} has to remove {finalizer}; it is running',
    zh: '因此需由 {operator} 移除 {finalizer}；它正在运行',
  },
  'why.step.stillThere': {
    en: 'So it is still there after {deletedForAt}',
    zh: '因此 {deletedForAt}后它仍在',
  },
  'why.step.notRunning': { en: '{operator} is not running', zh: '{operator} 没有运行' },
  'why.step.notRunning.detail': { en: 'What is seen of it: {detail}.', zh: '所见情况：{detail}。' },
  'why.step.nobodyLooks': {
    en: 'So no change of {name} is looked at',
    zh: '因此 {name} 的变更无人处理',
  },
  'why.step.selfWrites': {
    en: '{operator} wrote the status {n} time in {overMs}||{operator} wrote the status {n} times in {overMs}',
    zh: '{operator} 在 {overMs}内写入 status {n} 次',
  },
  'why.step.selfWrites.quiet': {
    en: 'Neither the spec nor an owned object changed in between.',
    zh: '其间 spec 与所属对象均无变化。',
  },
  'why.step.field.flips': {
    en: '{field} goes to and fro, last {old} → {new}',
    zh: '{field} 来回变化，最近一次 {old} → {new}',
  },
  'why.step.field.moves': {
    en: 'Each write brings another value of {field}',
    zh: '每次写入 {field} 都是新值',
  },
  'why.step.field.none': {
    en: 'Each write differs from the one before in another field',
    zh: '每次写入与前一次不同的字段各异',
  },
  'why.step.wakes': {
    en: 'So each write is an event that wakes the key again',
    zh: '因此每次写入都是再次唤醒该 key 的事件',
  },
  'why.step.wakes.detail': {
    en: 'No predicate of its profile holds status changes back: {perMinute} runs a minute.',
    zh: '其档案中没有谓词过滤状态变更：每分钟 {perMinute} 次运行。',
  },
  'why.step.wakes.unless': {
    en: 'Unless a predicate that the cluster does not show holds status changes back.',
    zh: '除非有集群未显示的谓词过滤状态变更。',
  },
  'why.step.errors': {
    en: 'Reconcile ends in an error, {n} time in a row||Reconcile ends in an error, {n} times in a row',
    zh: 'reconcile 以错误结束，连续 {n} 次',
  },
  'why.step.errors.about': {
    en: 'Reconcile ends in an error, about {n} time in a row||Reconcile ends in an error, about {n} times in a row',
    zh: 'reconcile 以错误结束，连续约 {n} 次',
  },
  'why.step.errors.range': {
    en: 'The first seen at {firstAt}, the latest at {lastAt}. The latest says:',
    zh: '首次看到在 {firstAt}，最近一次在 {lastAt}。最近一次的内容：',
  },
  'why.step.errors.last': { en: 'At {lastAt} it said:', zh: '{lastAt} 的内容：' },
  'why.step.mended.object': { en: '{what} appeared', zh: '{what} 出现了' },
  'why.step.mended.object.detail': {
    en: 'Since {mendedAt}, after the last error: what it calls missing is there.',
    zh: '自 {mendedAt} 起，晚于最近一次错误：它所称缺少的内容已存在。',
  },
  'why.step.mended.right': { en: '{what} is granted now', zh: '{what} 现已授予' },
  'why.step.parked': {
    en: 'So the limiter is at its cap: the next attempt comes {capMs} after the last',
    zh: '因此限速器已达上限：下一次尝试在上一次之后 {capMs}',
  },
  'why.step.parked.detail': {
    en: 'After {n} failure the delay no longer grows. Silence is waiting, not health.||After {n} failures the delay no longer grows. Silence is waiting, not health.',
    zh: '失败 {n} 次后延迟不再增长。沉默是等待，不是健康。',
  },
  'why.step.backoff': {
    en: 'So the key waits {delayMs} before the next attempt',
    zh: '因此该 key 等待 {delayMs}后再次尝试',
  },
  'why.step.specChanged': {
    en: '{manager} changed the spec: generation {generation}',
    zh: '{manager} 修改了 spec：generation {generation}',
  },
  'why.step.specChanged.bare': {
    en: 'The spec was changed: generation {generation}',
    zh: 'spec 已修改：generation {generation}',
  },
  'why.step.notObserved': {
    en: 'The status still says observedGeneration {observed}',
    zh: 'status 仍为 observedGeneration {observed}',
  },
  'why.step.notObserved.detail': {
    en: 'The last status write is {writtenForAt} old.',
    zh: '最后一次状态写入已过去 {writtenForAt}。',
  },
  'why.step.condition': {
    en: '{type}={status}, reason {reason}, is stored',
    zh: '存储的是 {type}={status}，reason {reason}',
  },
  'why.step.condition.bare': { en: '{type}={status} is stored', zh: '存储的是 {type}={status}' },
  'why.step.quiet': {
    en: 'The operator is quiet: no run, no error and no retry is known',
    zh: 'Operator 没有动静：没有已知的运行、错误或重试',
  },
  'why.step.quiet.detail': {
    en: 'Without its log, a run that changes nothing cannot be seen.',
    zh: '没有日志时，无法看到未做任何更改的运行。',
  },
  'why.step.running': { en: 'The operator works on it now', zh: 'Operator 正在处理它' },
  'why.step.queued': { en: 'The key is due and waits for a worker', zh: '该 key 已到期，等待工作线程' },
  'why.step.lastRun': { en: 'Last run ended well at {ranAt}', zh: '最近一次运行在 {ranAt} 正常结束' },
  'why.step.ready': { en: '{type} is as it should be', zh: '{type} 符合预期' },
  'why.step.ready.reason': {
    en: '{type} is as it should be, reason {reason}',
    zh: '{type} 符合预期，reason {reason}',
  },

  'why.note.seen.audit': { en: 'audit {audit} of {all}', zh: '审计 {audit}/{all}' },
  'why.note.seen.log': { en: 'log {log} of {all}', zh: '日志 {log}/{all}' },
  'why.note.seen.both': {
    en: 'audit {audit} of {all}, log {log} of {all}',
    zh: '审计 {audit}/{all}，日志 {log}/{all}',
  },
  'why.note.review.agrees': {
    en: 'Our RBAC evaluation and the cluster’s SubjectAccessReview agree',
    zh: '我们的 RBAC 计算与集群的 SubjectAccessReview 结果一致',
  },
  'why.note.review.disagrees': {
    en: 'The cluster’s SubjectAccessReview says it is allowed: our evaluation disagrees',
    zh: '集群的 SubjectAccessReview 表示允许：与我们的计算不一致',
  },
  'why.note.gap': {
    en: 'For {gapMs} from {gapFromAt} this kind was not seen: steps may be missing',
    zh: '自 {gapFromAt} 起有 {gapMs}未看到此类型：可能缺少步骤',
  },
  'why.note.count': {
    en: 'How often it failed is a guess: the beginning was not seen, or the limiter does not explain the waits',
    zh: '失败次数是推测：没有看到开头，或限速器无法解释等待时间',
  },
  'why.note.guessedOperator': {
    en: 'That {operator} reconciles this kind is inferred',
    zh: '{operator} 负责此类型是推断得出的',
  },

  'why.help.log': {
    en: 'Attach the log of {operator}: it names errors and runs.',
    zh: '附加 {operator} 的日志：其中有错误与运行。',
  },
  'why.help.audit': {
    en: 'Attach the audit file: it shows every refused or accepted write.',
    zh: '附加审计文件：其中有每次被拒绝或成功的写入。',
  },
  'why.help.operator': {
    en: 'Choose or name the operator that reconciles this kind: its queue and rights are modelled then.',
    zh: '选择或指定负责此类型的 Operator：随后会为其队列与权限建模。',
  },
  'why.help.wait': {
    en: 'Wait: what comes next is shown here as it happens.',
    zh: '请等待：接下来发生的会显示在此处。',
  },
  'why.help.permission': { en: 'Let this user {permission}.', zh: '允许此用户 {permission}。' },
  'why.help.context': {
    en: 'Check the name, or search the objects of this session.',
    zh: '请检查名称，或搜索本次会话的对象。',
  },

  'why.fix.role': { en: 'Restore the rule in {role}.', zh: '恢复此 {role} 中的规则。' },
  'why.fix.role.new': {
    en: 'Grant {operator} the rule that is missing.',
    zh: '授予 {operator} 缺少的规则。',
  },
  'why.fix.marker': {
    en: 'In your project, so the next release keeps it:',
    zh: '写进项目，下次发布才会保留：',
  },
  'why.fix.start': {
    en: 'Start {operator} again. It removes the finalizer after cleaning up.',
    zh: '重新启动 {operator}。它会在清理后移除 finalizer。',
  },
  'why.fix.scale': { en: 'Scale {operator} up again.', zh: '恢复 {operator} 的副本数。' },
  'why.fix.unhold': {
    en: 'Last resort, by hand. What {finalizer} stands for is not cleaned up then, and stays behind.',
    zh: '最后手段：手动移除。此时 {finalizer} 所代表的内容不会被清理，会遗留下来。',
  },
  'why.fix.wake': {
    en: 'Wait for the retry, or change this {kind}: any change that its controller watches runs it at once.',
    zh: '等待重试，或修改此 {kind}：控制器监听的任何变更都会立即运行它。',
  },
  'why.fix.wake.detail': {
    en: 'An annotation is enough, as no predicate is known that holds it back:',
    zh: '一个注解即可，因为没有已知的谓词会过滤它：',
  },
  'why.fix.predicate': {
    en: 'Let the watch on {kind} pass spec changes only, or write the status only when it differs.',
    zh: '让对 {kind} 的监听只放行 spec 变更，或仅在 status 不同时写入。',
  },
  'why.fix.predicate.detail': {
    en: 'Or leave {field} alone while its meaning is the same.',
    zh: '或在含义不变时不更改 {field}。',
  },
  'why.fix.logs': { en: 'Find out why {operator} does not run.', zh: '查明 {operator} 为何没有运行。' },

  'why.mark.role': { en: '{role} changed', zh: '{role} 变更' },
  'why.mark.deletion': { en: 'deletion asked for', zh: '请求删除' },
  'why.mark.spec': { en: 'spec changed', zh: 'spec 变更' },

  'why.chip.roleDiff': { en: 'Role diff', zh: '角色差异' },
  'why.chip.rbacGap': { en: 'RBAC gap', zh: '权限缺口' },
  'why.chip.manager': { en: 'Manager {manager}', zh: '字段管理者 {manager}' },
  'why.chip.firstRefusal': { en: 'First refusal', zh: '首次被拒' },
  'why.chip.refusal': { en: 'Refusal', zh: '被拒' },
  'why.chip.lastRefusal': { en: 'Latest, attempt {attempt}', zh: '最近一次，第 {attempt} 次' },
  'why.chip.logLine': { en: 'Log line', zh: '日志行' },
  'why.chip.firstError': { en: 'First error', zh: '首次错误' },
  'why.chip.lastError': { en: 'Latest error', zh: '最近一次错误' },
  'why.chip.object': { en: 'Object', zh: '对象' },
  'why.chip.specChange': { en: 'Spec change by {manager}', zh: '{manager} 修改了 spec' },
  'why.chip.specChange.bare': { en: 'Spec change', zh: 'spec 变更' },
  'why.chip.queue': { en: 'In the queue', zh: '在队列中' },
  'why.chip.write': { en: 'Status write', zh: '状态写入' },
  'why.chip.ownership': { en: 'What holds it', zh: '是什么阻止了它' },
  'why.chip.appeared': { en: '{name} appeared', zh: '{name} 出现' },
  'why.chip.conditions': { en: 'Conditions over time', zh: '状况随时间变化' },
  'why.chip.finding': { en: 'Finding', zh: '诊断结果' },
  'why.aside.rv': { en: 'rv {rv}', zh: 'rv {rv}' },
  'why.aside.record': { en: 'record {record}', zh: '记录 {record}' },
  'why.aside.generation': { en: 'generation {generation}', zh: 'generation {generation}' },
  'why.aside.seenAt': { en: '{seenAt}', zh: '{seenAt}' },
  'why.aside.text': { en: '{text}', zh: '{text}' },

  'why.pill.condition': { en: '{type} is {status}', zh: '{type} 为 {status}' },
  'why.pill.refused': { en: 'Status writes refused', zh: '状态写入被拒绝' },
  'why.pill.deleting': { en: 'Being deleted', zh: '删除中' },
  'why.pill.gone': { en: 'Deleted at {goneAt}', zh: '删除于 {goneAt}' },
  'why.pill.failures': { en: '{n} failure||{n} failures', zh: '{n} 次失败' },
  'why.pill.generation': { en: 'Generation not acknowledged', zh: 'generation 未确认' },
  'why.pill.unknown': { en: 'No state known', zh: '状态未知' },

  'why.check.alive.ok': { en: 'Operator is alive', zh: 'Operator 在运行' },
  'why.check.alive.problem': { en: 'Operator is not running', zh: 'Operator 没有运行' },
  'why.check.alive.unknown': { en: 'Operator: not evaluated', zh: 'Operator：未评估' },
  'why.check.alive.lease': { en: 'Lease renewed {renewedForAt} ago', zh: 'Lease {renewedForAt}前续约' },
  'why.check.alive.workload': { en: '{detail}', zh: '{detail}' },
  'why.check.alive.wrote': { en: 'wrote status {wroteForAt} ago', zh: '{wroteForAt}前写入 status' },
  'why.check.alive.logged': { en: 'last log line {loggedForAt} ago', zh: '{loggedForAt}前有日志' },
  'why.check.alive.nothing': { en: 'no sign of it seen', zh: '没有看到任何迹象' },
  'why.check.operator.none': { en: 'no operator known for this kind', zh: '此类型没有已知的 Operator' },
  'why.check.owned.ok': { en: 'Owned objects are ready', zh: '所属对象已就绪' },
  'why.check.owned.problem': { en: 'Owned objects are not ready', zh: '所属对象未就绪' },
  'why.check.owned.unknown': { en: 'Owned objects: not evaluated', zh: '所属对象：未评估' },
  'why.check.owned.list': { en: '{owned}', zh: '{owned}' },
  'why.check.owned.none': { en: 'none owned', zh: '没有所属对象' },
  'why.check.generation.ok': { en: 'Generation is acknowledged', zh: 'generation 已确认' },
  'why.check.generation.problem': { en: 'Generation is not acknowledged', zh: 'generation 未确认' },
  'why.check.generation.unknown': { en: 'Generation: not evaluated', zh: 'generation：未评估' },
  'why.check.generation.of': { en: '{observed} of {generation}', zh: '{observed}/{generation}' },
  'why.check.generation.absent': {
    en: 'status has no observedGeneration',
    zh: 'status 没有 observedGeneration',
  },
  'why.check.crd.ok': { en: 'CRD serves the status subresource', zh: 'CRD 提供 status 子资源' },
  'why.check.crd.problem': { en: 'CRD serves no status subresource', zh: 'CRD 不提供 status 子资源' },
  'why.check.crd.unknown': { en: 'CRD: not evaluated', zh: 'CRD：未评估' },
  'why.check.crd.versions': { en: '{versions}', zh: '{versions}' },
  'why.check.crd.builtIn': { en: 'built in', zh: '内置类型' },
  'why.check.writer.ok': { en: 'No other writer on status', zh: '没有其他组件写 status' },
  'why.check.writer.problem': { en: 'Others write its status', zh: '有其他组件写 status' },
  'why.check.writer.unknown': { en: 'Writers of status: not evaluated', zh: 'status 写入者：未评估' },
  'why.check.writer.since': { en: 'since {sinceAt}', zh: '自 {sinceAt}' },
  'why.check.writer.others': { en: '{managers}', zh: '{managers}' },
  'why.check.rights.ok': { en: 'No right is missing', zh: '没有缺少的权限' },
  'why.check.rights.others': { en: 'No other right is missing', zh: '没有缺少其他权限' },
  'why.check.rights.problem': { en: 'Rights are missing', zh: '缺少权限' },
  'why.check.rights.problem.others': { en: 'Other rights are missing', zh: '还缺少其他权限' },
  'why.check.rights.unknown': { en: 'Rights: not evaluated', zh: '权限：未评估' },
  'why.check.rights.needed': { en: '{n} needed resource||{n} needed resources', zh: '{n} 种所需资源' },
  'why.check.rights.gaps': { en: '{gaps}', zh: '{gaps}' },
  'why.check.needs': { en: 'needs {permission}', zh: '需要 {permission}' },
  'why.check.metadata': { en: 'only metadata was read', zh: '只读取了元数据' },

  'why.next.backoff': {
    en: 'The key is in backoff: {formula} after failure {attempt}.',
    zh: '该 key 正在退避：第 {attempt} 次失败后等待 {formula}。',
  },
  'why.next.backoff.plain': {
    en: 'The key is in backoff: {delayMs} after failure {attempt}.',
    zh: '该 key 正在退避：第 {attempt} 次失败后等待 {delayMs}。',
  },
  'why.next.cap': {
    en: 'The key is parked at the cap: {capMs} after failure {attempt}.',
    zh: '该 key 停放在上限：第 {attempt} 次失败后等待 {capMs}。',
  },
  'why.next.after': {
    en: 'The operator asked to be run again after {delayMs}.',
    zh: 'Operator 要求在 {delayMs}后再次运行。',
  },
  'why.next.ready': { en: 'The key is due and waits for a worker.', zh: '该 key 已到期，等待工作线程。' },
  'why.next.running': { en: 'The key runs now.', zh: '该 key 正在运行。' },
  'why.next.idle': {
    en: 'Nothing is scheduled: the next change wakes it.',
    zh: '没有安排：下一次变更会唤醒它。',
  },
  'why.next.unknown': { en: 'The key waits; for how long is not known.', zh: '该 key 在等待；时长未知。' },
  'why.next.notRunning': {
    en: 'Nothing runs while {operator} is not running.',
    zh: '{operator} 没有运行，因此什么都不会运行。',
  },
  'why.next.matched': {
    en: 'The earlier wait matched to {maxMs}.||All {n} earlier waits matched to {maxMs}.',
    zh: '之前 {n} 次等待的误差都在 {maxMs}以内。',
  },
  'why.next.matched.some': {
    en: '{n} of {of} earlier waits came as predicted.||{n} of {of} earlier waits came as predicted.',
    zh: '之前 {of} 次等待中有 {n} 次与预测一致。',
  },
  'why.wake.role': {
    en: 'A role change does not wake the key. After the fix it still waits for attempt {attempt}, or for any change to this {kind} or an object it owns.',
    zh: '角色变更不会唤醒该 key。修复后它仍要等到第 {attempt} 次尝试，或等到此 {kind} 或其所属对象发生变化。',
  },
  'why.wake.role.idle': {
    en: 'A role change does not wake the key. After the fix the next change of this {kind} or an object it owns does.',
    zh: '角色变更不会唤醒该 key。修复后，此 {kind} 或其所属对象的下一次变更才会唤醒它。',
  },
  'why.wake.elsewhere': {
    en: 'What was missing is not watched for this {kind}: the key waits for attempt {attempt} unless something below wakes it.',
    zh: '此 {kind} 未监听所缺少的内容：除非被下列变更唤醒，该 key 要等到第 {attempt} 次尝试。',
  },
  'why.wake.object.spec': {
    en: 'A change of the spec of this {kind} runs it at once; labels, annotations and status do not.',
    zh: '修改此 {kind} 的 spec 会立即运行；标签、注解与 status 不会。',
  },
  'why.wake.object.any': {
    en: 'Any change of this {kind} runs it at once.',
    zh: '此 {kind} 的任何变更都会立即运行它。',
  },
  'why.wake.owned': {
    en: 'So does a change of what it owns: {kinds}.',
    zh: '其所属对象（{kinds}）的变更也会。',
  },
  'why.wake.start': {
    en: 'When {operator} starts, it runs every key from the beginning.',
    zh: '{operator} 启动后会从头运行所有 key。',
  },
  'why.wake.restart': {
    en: 'A restart of {operator} runs every key and forgets all failures.',
    zh: '重启 {operator} 会运行所有 key，并清除全部失败计数。',
  },

  'why.badge.root': { en: 'Root cause', zh: '根因' },
  'why.now': { en: 'now', zh: '现在' },
  'why.chain': { en: 'Causal chain', zh: '因果链' },
  'why.chips': { en: 'Evidence', zh: '证据' },
  'why.line': { en: 'Line', zh: '行' },
  'why.line.close': { en: 'Hide the line', zh: '隐藏该行' },
  'why.helps': { en: 'What would help', zh: '有助于了解更多的事' },
  'why.bands': { en: 'Conditions, {from} to {to}', zh: '状况（Conditions），{from} 至 {to}' },
  'why.checks': { en: 'Also checked', zh: '其他检查' },
  'why.check.state.ok': { en: 'in order', zh: '正常' },
  'why.check.state.problem': { en: 'problem', zh: '有问题' },
  'why.check.state.notEvaluated': { en: 'not evaluated', zh: '未评估' },
  'why.fix': { en: 'Fix', zh: '修复' },
  'why.fix.never': { en: 'Loopscope never writes. You apply it.', zh: 'Loopscope 从不写入，由你执行。' },
  'why.fix.form.role': { en: 'Role patch', zh: '角色补丁' },
  'why.fix.form.marker': { en: 'Marker', zh: '标记' },
  'why.fix.form.command': { en: 'Command', zh: '命令' },
  'why.fix.form.code': { en: 'Code', zh: '代码' },
  'why.fix.form.last': { en: 'By hand', zh: '手动' },
  'why.fix.none': {
    en: 'No fix is known that follows from what was seen.',
    zh: '根据所见内容，没有已知的修复。',
  },
  'why.fix.needless': { en: 'Nothing needs a fix.', zh: '无需修复。' },
  'why.next': { en: 'What happens next', zh: '接下来' },
  'why.next.none': {
    en: 'No queue is modelled for this kind: no operator known here reconciles it.',
    zh: '没有为此类型的队列建模：此处没有已知的 Operator 负责它。',
  },
  'why.next.until': { en: 'until attempt {n}, at {at}', zh: '后第 {n} 次尝试，{at}' },
  'why.next.run': { en: 'until the next run, at {at}', zh: '后下一次运行，{at}' },
  'why.next.due': { en: 'due', zh: '到期' },
  'why.next.tabs': { en: 'What follows', zh: '后续' },
  'why.next.nothing': { en: 'If nothing changes', zh: '如果不处理' },
  'why.next.fixed': { en: 'If you fix it now', zh: '如果现在修复' },
  'why.next.wakes': { en: 'What wakes it', zh: '什么会唤醒它' },
  'why.later.refused': { en: 'Attempt {n} is refused again', zh: '第 {n} 次仍被拒绝' },
  'why.later.fails': { en: 'Attempt {n} fails again', zh: '第 {n} 次仍会失败' },
  'why.later.runs': { en: 'Attempt {n} runs', zh: '第 {n} 次运行' },
  'why.later.then': { en: 'then {time}', zh: '再等 {time}' },
  'why.later.cap': { en: 'Every {time} from here (cap)', zh: '此后每 {time}一次（上限）' },
  'why.later.none': {
    en: 'No later attempt follows from what is known.',
    zh: '根据已知内容，没有后续尝试。',
  },
  'why.next.guess': { en: 'about', zh: '约' },
  'object.copyLink': { en: 'Copy link to this moment', zh: '复制此刻的链接' },
  'object.generation': {
    en: 'generation {generation}, observed {observed}',
    zh: 'generation {generation}，已观察 {observed}',
  },
  'object.generation.only': { en: 'generation {generation}', zh: 'generation {generation}' },
  'why.conditions.open': { en: 'Conditions', zh: '状况' },
  'why.upgrading': { en: 'Reading it in full…', zh: '正在读取完整内容…' },
} as const satisfies Readonly<Record<string, Message>>;

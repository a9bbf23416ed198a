import type { Message } from '../message.ts';

export const ownership = {
  'ownership.question.deleting': { en: 'Why does {name} not go?', zh: '{name} 为什么没有被删除？' },
  'ownership.question': { en: 'Who owns {name}, and what does it own?', zh: '谁拥有 {name}，它又拥有什么？' },
  'ownership.verdict.gone': { en: '{name} is gone since {time}.', zh: '{name} 已于 {time} 消失。' },
  'ownership.verdict.stuck.handler': {
    en: '{name} cannot go: finalizer {finalizer} is still there, and {handler}, which would remove it, is not running.',
    zh: '{name} 无法删除：finalizer {finalizer} 仍在，而负责移除它的 {handler} 没有运行。',
  },
  'ownership.verdict.waits': {
    en: '{name} waits for {handler} to remove finalizer {finalizer}.',
    zh: '{name} 正在等待 {handler} 移除 finalizer {finalizer}。',
  },
  'ownership.verdict.unclear': {
    en: '{name} waits for finalizer {finalizer} to be removed.',
    zh: '{name} 正在等待 finalizer {finalizer} 被移除。',
  },
  'ownership.verdict.unclear.handler': {
    en: '{name} waits for finalizer {finalizer}, which {handler} removes; whether it works on it is not known.',
    zh: '{name} 正在等待由 {handler} 移除的 finalizer {finalizer}；尚不知道它是否在处理。',
  },
  'ownership.verdict.going': {
    en: '{name} is being deleted; no finalizer holds it.',
    zh: '{name} 正在删除；没有 finalizer 阻止它。',
  },
  'ownership.verdict.broken': {
    en: 'An owner reference around {name} does not mean what it says.||{n} owner references around {name} do not mean what they say.',
    zh: '{name} 周围有 {n} 个 owner reference 名不副实。',
  },
  'ownership.verdict.wouldWait': {
    en: 'A deletion of {name} would wait for one finalizer.||A deletion of {name} would wait for {n} finalizers.',
    zh: '删除 {name} 时会等待 {n} 个 finalizer。',
  },
  'ownership.verdict.free': {
    en: 'No finalizer would hold a deletion of {name}.',
    zh: '删除 {name} 时没有 finalizer 会阻止。',
  },
  'ownership.note.owns': {
    en: 'It owns one object that was seen.||It owns {n} objects that were seen.',
    zh: '它拥有 {n} 个已看到的对象。',
  },
  'ownership.note.ownsNothing': { en: 'It owns nothing that was seen.', zh: '没有看到它拥有的对象。' },
  'ownership.note.owner': { en: 'Owned by {owner}.', zh: '从属于 {owner}。' },
  'ownership.note.owners': {
    en: 'One object owns it.||{n} objects own it.',
    zh: '有 {n} 个对象拥有它。',
  },
  'ownership.note.others': {
    en: 'One more finalizer holds it.||{n} more finalizers hold it.',
    zh: '另有 {n} 个 finalizer 阻止它。',
  },
  'ownership.note.propagation.background': {
    en: 'Background deletion: what it owns goes after it.',
    zh: '后台删除（background）：其从属对象在它之后删除。',
  },
  'ownership.note.propagation.foreground': {
    en: 'Foreground deletion: what it owns goes before it.',
    zh: '前台删除（foreground）：其从属对象先于它删除。',
  },
  'ownership.note.propagation.orphan': {
    en: 'Orphan deletion: what it owns stays.',
    zh: '保留删除（orphan）：其从属对象会保留。',
  },
  'ownership.column.owners': { en: 'Owners', zh: 'Owner' },
  'ownership.column.holds': { en: 'What holds it', zh: '是什么阻止了它' },
  'ownership.column.object': { en: 'Object', zh: '对象' },
  'ownership.column.owned': { en: 'What it owns', zh: '它拥有的' },
  'ownership.column.below': { en: 'Owned by those', zh: '由其拥有的' },
  'ownership.graph': { en: 'Owner graph', zh: '从属关系图' },
  'ownership.node.unreadable': { en: 'may not be read', zh: '无权读取' },
  'ownership.node.missing': { en: 'is not there', zh: '不存在' },
  'ownership.node.deleting': { en: 'deleting for {time}', zh: '已在删除中 {time}' },
  'ownership.node.ownFinalizers': {
    en: 'own finalizer||{n} own finalizers',
    zh: '自有 {n} 个 finalizer',
  },
  'ownership.finalizer': { en: 'finalizer', zh: 'finalizer' },
  'ownership.finalizer.setBy': { en: 'finalizer by {who}', zh: '{who} 的 finalizer' },
  'ownership.handler.running': { en: 'running', zh: '运行中' },
  'ownership.handler.notRunning': { en: 'not running', zh: '没有运行' },
  'ownership.handler.unknown': { en: 'not known whether it runs', zh: '不知道是否在运行' },
  'ownership.folded': { en: '{n} more {kind}', zh: '另有 {n} 个 {kind}' },
  'ownership.folded.why': { en: 'counted, not drawn', zh: '仅计数，未绘制' },
  'ownership.problems': { en: 'Owner references', zh: 'Owner reference' },
  'ownership.problem.otherNamespace': {
    en: '{dependent} names {owner} as its owner across namespaces. The garbage collector takes that owner for absent and deletes the dependent.',
    zh: '{dependent} 跨 namespace 指定 {owner} 为 owner。垃圾回收器会认为该 owner 不存在，并删除从属对象。',
  },
  'ownership.problem.otherUid': {
    en: '{dependent} names {owner} as its owner by the uid of an object that is gone. The garbage collector deletes the dependent.',
    zh: '{dependent} 以已消失对象的 uid 指定 {owner} 为 owner。垃圾回收器会删除该从属对象。',
  },
  'ownership.problem.missing': {
    en: '{dependent} names {owner} as its owner, which is not there. The garbage collector deletes a dependent whose owners are all gone.',
    zh: '{dependent} 指定的 owner {owner} 不存在。所有 owner 都消失后，垃圾回收器会删除该从属对象。',
  },
  'ownership.ways': { en: 'Ways out', zh: '解决办法' },
  'ownership.ways.run': {
    en: 'Run {handler} again. It finishes its clean-up and removes the finalizer itself.',
    zh: '重新运行 {handler}。它会完成清理并自行移除 finalizer。',
  },
  'ownership.ways.wait': {
    en: 'Wait for {handler}. It runs; its queue and log tell how far it is.',
    zh: '等待 {handler}。它正在运行；其队列和日志会显示进度。',
  },
  'ownership.ways.byHand': {
    en: 'Remove the finalizer by hand, only after you checked what it protects: its clean-up will never run.',
    zh: '手动移除 finalizer，但须先确认它保护的内容：其清理将永远不会执行。',
  },
  'ownership.ways.test': {
    en: 'The test stops it if the list has changed.',
    zh: '如果列表已变化，test 会阻止该操作。',
  },
  'ownership.ways.command': { en: 'Command that removes the finalizer', zh: '移除 finalizer 的命令' },
  'ownership.then': { en: 'Then', zh: '然后' },
  'ownership.then.background': {
    en: 'The object goes at once. The garbage collector then deletes one dependent.||The object goes at once. The garbage collector then deletes {n} dependents.',
    zh: '对象会立即消失。随后垃圾回收器删除 {n} 个从属对象。',
  },
  'ownership.then.foreground': {
    en: 'The object goes once its dependents that block are gone.',
    zh: '阻塞它的从属对象消失后，该对象随之消失。',
  },
  'ownership.then.orphan': {
    en: 'The object goes at once. Its dependents stay, without an owner.',
    zh: '对象会立即消失。其从属对象保留，但不再有 owner。',
  },
  'ownership.then.alone': { en: 'The object goes at once.', zh: '对象会立即消失。' },
  'ownership.then.more': {
    en: 'One more finalizer has to go first.||{n} more finalizers have to go first.',
    zh: '还需先移除另外 {n} 个 finalizer。',
  },
  'ownership.checked': { en: 'Also checked', zh: '同时检查' },
  'ownership.checked.references': {
    en: 'Owner references name what is there',
    zh: 'Owner reference 均指向现有对象',
  },
  'ownership.checked.references.not': {
    en: 'One owner reference does not mean what it says||{n} owner references do not mean what they say',
    zh: '有 {n} 个 owner reference 名不副实',
  },
  'ownership.checked.unreadable': {
    en: 'One kind may not be read: owned objects of it would not be seen||{n} kinds may not be read: owned objects of them would not be seen',
    zh: '有 {n} 种资源无权读取：看不到属于它们的从属对象',
  },
  'ownership.selected': { en: 'Selected', zh: '已选择' },
  'ownership.selected.none': {
    en: 'Choose a box of the graph to see what it is.',
    zh: '选择图中的方框以查看详情。',
  },
  'ownership.selected.object': { en: 'Object', zh: '对象' },
  'ownership.selected.finalizers': { en: 'Finalizers', zh: 'Finalizer' },
  'ownership.selected.deleting': { en: 'Deletion asked', zh: '请求删除' },
  'ownership.selected.open': { en: 'Open', zh: '打开' },
  'ownership.selected.known': { en: 'Known by', zh: '依据' },
  'ownership.selected.setBy': { en: 'Set by', zh: '设置者' },
  'ownership.selected.handler': { en: 'Removed by', zh: '移除者' },
  'ownership.unknown.title': { en: 'This object was not seen', zh: '没有见过此对象' },
  'ownership.unknown': {
    en: 'It is not in this session: it does not exist, or its kind may not be read.',
    zh: '它不在此会话中：可能不存在，也可能无权读取这种资源。',
  },
} as const satisfies Readonly<Record<string, Message>>;

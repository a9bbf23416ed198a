import type { Message } from '../message.ts';

/** The bar of an opened session or demo, and dropping files on the window. */
export const playback = {
  'playback.region': { en: 'Playback', zh: '回放' },
  'playback.viewing': { en: 'Viewing a recording', zh: '正在查看录制' },
  'playback.demo': { en: 'Demo', zh: '演示' },
  'playback.restart': { en: 'From the start', zh: '从头开始' },
  'playback.play': { en: 'Play', zh: '播放' },
  'playback.pause': { en: 'Pause', zh: '暂停' },
  'playback.speed': { en: 'Speed', zh: '速度' },
  'playback.record': { en: 'record {n}', zh: '记录 {n}' },
  'playback.dated': { en: '{day} · record {n}', zh: '{day} · 记录 {n}' },
  'playback.state.playing': { en: 'playing', zh: '播放中' },
  'playback.state.paused': { en: 'paused', zh: '已暂停' },
  'playback.state.ended': { en: 'at its end', zh: '已到末尾' },
  'playback.state.moving': {
    en: 'reading record {n} of {of}',
    zh: '正在读取记录 {n}，共 {of}',
  },
  'playback.position': { en: '{done} of {all}', zh: '{done}，共 {all}' },
  'playback.scrubber': {
    en: 'Moment of the recording, from {from} to {to}: {n} gaps, {found} findings',
    zh: '录制的时刻，从 {from} 到 {to}：{n} 处缺口，{found} 项诊断结果',
  },
  'playback.backToLive': { en: 'Back to live', zh: '回到实时' },
  'playback.close': { en: 'Close', zh: '关闭' },
  'playback.behind': {
    en: '{context} is still recorded: {n} record||{context} is still recorded: {n} records',
    zh: '{context} 仍在录制：{n} 条记录',
  },
  'playback.behind.short': { en: 'Recording {context}', zh: '正在录制 {context}' },
  'playback.openedFrom': { en: 'Recorded from', zh: '录制自' },
  'playback.file': { en: 'File', zh: '文件' },
  'playback.when': { en: 'Recorded', zh: '录制时间' },
  'playback.shown': { en: 'Recording on screen', zh: '正在查看的录制' },
  'playback.opening': { en: 'Opening {name}', zh: '正在打开 {name}' },
  'playback.opening.of': { en: 'of {n} records', zh: '条记录，共 {n} 条' },
  'playback.opening.unit': { en: 'records', zh: '条记录' },
  'playback.opening.text': {
    en: 'The records are read in their order, and the views are made from them as they were made live.',
    zh: '按顺序读取记录，并像实时查看时一样由其生成各个视图。',
  },
  'playback.announce.playing': { en: 'Playing at {n}×', zh: '以 {n}× 播放' },
  'playback.announce.paused': { en: 'Paused at {time}', zh: '已在 {time} 暂停' },
  'playback.announce.ended': { en: 'The recording ends here', zh: '录制到此结束' },
  'command.playback.toggle': { en: 'Play or pause the recording', zh: '播放或暂停录制' },
  'command.playback.restart': { en: 'Play the recording from its start', zh: '从头播放录制' },
  'command.playback.faster': { en: 'Play faster', zh: '加快播放' },
  'command.playback.slower': { en: 'Play slower', zh: '减慢播放' },
  'command.demo.status-forbidden': { en: 'Demo: status write forbidden', zh: '演示：状态写入被拒绝' },
  'command.demo.hot-loop': { en: 'Demo: woken by its own write', zh: '演示：被自己的写入唤醒' },
  'command.demo.finalizer-orphaned': {
    en: 'Demo: finalizer outlives its operator',
    zh: '演示：Finalizer 比 Operator 活得更久',
  },
  'command.demo.parked-retry': { en: 'Demo: parked at the cap', zh: '演示：停在重试上限' },

  'drop.title': { en: 'Drop a session here', zh: '将会话拖放到此处' },
  'drop.text': {
    en: 'A .loopscope file. The whole window accepts it.',
    zh: '.loopscope 文件。整个窗口都可接收。',
  },
  'drop.choose': { en: 'Choose file', zh: '选择文件' },
  'drop.safe': {
    en: 'Opened files run nothing and reach no network.',
    zh: '打开的文件不会运行任何内容，也不会访问网络。',
  },
  'drop.overlay': { en: 'Let go to open', zh: '松开即可打开' },
  'drop.overlay.text': {
    en: 'A session opens. A log or a YAML file is offered to what is on screen.',
    zh: '会话将被打开。日志或 YAML 文件可附加到当前内容。',
  },
  'drop.attach.title': { en: 'What is {name}?', zh: '{name} 是什么？' },
  'drop.attach.text': {
    en: 'It is read beside the connection to {context}, and never changed.',
    zh: '它会随与 {context} 的连接一起读取，不会被更改。',
  },
  'drop.as.log': { en: 'The operator’s log', zh: 'Operator 的日志' },
  'drop.as.audit': { en: 'An audit log', zh: '审计日志' },
  'drop.as.profile': { en: 'A profile, loopscope.yaml', zh: '档案 loopscope.yaml' },
  'drop.refused.title': { en: '{name} cannot be used here', zh: '此处无法使用 {name}' },
  'drop.refused.kind': {
    en: 'Loopscope opens .loopscope sessions, and attaches logs (.log, .txt, .json, .jsonl) and profiles (.yaml). This is none of them.',
    zh: 'Loopscope 可打开 .loopscope 会话，并附加日志（.log、.txt、.json、.jsonl）与档案（.yaml）。此文件不属于其中任何一种。',
  },
  'drop.refused.disconnected': {
    en: 'A log or profile belongs to a connection. Connect to the cluster first, then drop it again.',
    zh: '日志或档案属于某个连接。请先连接集群，然后再次拖放。',
  },
  'drop.refused.many': {
    en: 'Drop one file at a time. {n} were dropped.',
    zh: '请一次拖放一个文件。此次拖放了 {n} 个。',
  },
  'drop.refused.noPath': {
    en: 'The file could not be handed to Loopscope. Give its path with “Open a session file” instead.',
    zh: '无法将文件交给 Loopscope。请改用“打开会话文件”并填写其路径。',
  },
  'drop.refused.nothing': {
    en: 'What was dropped is no file.',
    zh: '拖放的内容不是文件。',
  },
} as const satisfies Readonly<Record<string, Message>>;

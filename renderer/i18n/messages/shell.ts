import type { Message } from '../message.ts';

/** The desktop shell and the hold on the engine: its dialogs, its menus, the banner of a lost engine, the window's title. */
export const shell = {
  'shell.title': { en: '{what} · Loopscope', zh: '{what} · Loopscope' },
  'shell.title.recording': { en: '{what} (recording) · Loopscope', zh: '{what}（录制中）· Loopscope' },
  'shell.menu.view': { en: 'View', zh: '视图' },
  'shell.menu.edit': { en: 'Edit', zh: '编辑' },
  'shell.menu.window': { en: 'Window', zh: '窗口' },
  'shell.quit.title': { en: 'Stop recording {context}?', zh: '停止录制 {context}？' },
  'shell.quit.detail': {
    en: 'The session is closed in order and stays among your sessions. What happens in the cluster after that is not seen.',
    zh: '会话会被正常关闭并保留在你的会话列表中。之后集群中发生的事情不会被看到。',
  },
  'shell.quit.stop': { en: 'Stop and quit', zh: '停止并退出' },
  'shell.quit.cancel': { en: 'Go on recording', zh: '继续录制' },
  'shell.quit.remember': { en: 'Do not ask again', zh: '不再询问' },
  'shell.files.session': { en: 'Loopscope sessions', zh: 'Loopscope 会话' },
  'shell.files.any': { en: 'All files', zh: '所有文件' },
  'engine.lost.title': { en: 'The engine is gone', zh: '引擎已断开' },
  'engine.lost.keeps': {
    en: 'What you see is what was there at {time}.',
    zh: '你看到的是 {time} 时的内容。',
  },
  'engine.lost.waiting': { en: 'Try {n} in {time}.', zh: '{time} 后进行第 {n} 次重试。' },
  'engine.lost.trying': { en: 'Try {n} is running.', zh: '正在进行第 {n} 次重试。' },
  'engine.lost.host': {
    en: 'Did you stop Loopscope in its terminal? Start it again with npm start and open the address that it prints.',
    zh: '是否在终端中停止了 Loopscope？请用 npm start 重新启动，并打开它打印的地址。',
  },
  'engine.reconnect': { en: 'Reconnect', zh: '重新连接' },
  'engine.back': { en: 'The engine is back', zh: '引擎已恢复' },
  'engine.notStarted': { en: 'The engine does not start', zh: '引擎无法启动' },
  'engine.notStarted.what': {
    en: 'Loopscope keeps trying. If it does not come up, start Loopscope from a terminal: what it prints says why.',
    zh: 'Loopscope 会继续尝试。如果仍无法启动，请从终端启动 Loopscope：它打印的内容会说明原因。',
  },
} as const satisfies Readonly<Record<string, Message>>;

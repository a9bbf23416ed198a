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
} as const satisfies Readonly<Record<string, Message>>;

import { FakeClock } from './fakeClock.ts';
import { createMemoryLog } from './memoryLog.ts';
import { contractStart, describeSessionLog } from './sessionLogContract.ts';

describeSessionLog('memory', () => {
  const clock = new FakeClock(contractStart);
  return { clock, log: createMemoryLog({ clock }) };
});

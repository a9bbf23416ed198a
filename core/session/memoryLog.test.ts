import { FakeClock } from '../testing/fakeClock.ts';
import { contractStart, describeSessionLog } from '../testing/sessionLogContract.ts';
import { createMemoryLog } from './memoryLog.ts';

describeSessionLog('memory', () => {
  const clock = new FakeClock(contractStart);
  return { clock, log: createMemoryLog({ clock }) };
});

import { expect, test } from 'vitest';
import { createWake } from '../../src/daemon/wake.ts';

test('wakes the sleeper, and remembers one call while nobody sleeps', async () => {
  const alarm = createWake();
  const sleeping = alarm.sleep(60_000);
  alarm.wake();
  expect(await sleeping).toBe(true);
  alarm.wake();
  alarm.wake();
  expect(await alarm.sleep(60_000)).toBe(true);
  expect(await alarm.sleep(1)).toBe(false);
});

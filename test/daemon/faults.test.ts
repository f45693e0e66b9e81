import { expect, test } from 'vitest';
import { createFaults } from '../../src/daemon/faults.ts';
import { ConfigurationError } from '../../src/errors.ts';

const SIGNAL = new AbortController().signal;

/** A clock that a wait moves, so that waits take no time. */
function fakeClock() {
  const waits: number[] = [];
  let now = 0;
  return {
    waits,
    now: () => now,
    async sleep(ms: number) {
      waits.push(ms);
      await Promise.resolve();
      now = Math.max(now, now + ms);
    },
  };
}

test('waits grow to half a minute and begin anew after something got through', async () => {
  const clock = fakeClock();
  const faults = createFaults(clock);
  for (let index = 0; index < 8; index++) await faults.strike(new Error(`fault ${index}`), SIGNAL);
  expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  expect(faults).toMatchObject({ count: 8, last: 'fault 7' });
  faults.clear();
  expect(faults.count).toBe(0);
  await faults.strike('again', SIGNAL);
  expect(faults).toMatchObject({ count: 1, last: 'again' });
  expect(clock.waits.at(-1)).toBe(500);
});

test('eight lanes that see the same trouble at once count it once', async () => {
  const faults = createFaults(fakeClock());
  await Promise.all(Array.from({ length: 8 }, () => faults.strike(new Error('the database is away'), SIGNAL)));
  expect(faults.count).toBe(1);
});

test('an abort ends the wait', async () => {
  const stop = new AbortController();
  const faults = createFaults();
  for (let index = 0; index < 3; index++) void faults.strike(new Error('x'), AbortSignal.abort());
  const waited = faults.strike(new Error('x'), stop.signal);
  stop.abort();
  await waited;
  expect(faults.last).toBe('x');
});

test('a fault of the configuration is kept with its hint, whatever gets through meanwhile', async () => {
  const faults = createFaults(fakeClock());
  await faults.strike(new ConfigurationError('no key', { hint: 'set KEY' }), SIGNAL);
  faults.clear();
  await faults.strike(new Error('another'), SIGNAL);
  expect(faults).toMatchObject({ count: 1, last: 'another', misconfigured: 'no key (set KEY)' });
});

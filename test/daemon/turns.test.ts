import { expect, test } from 'vitest';
import { createTurns } from '../../src/daemon/turns.ts';

test('one has its turn at a time, in order of asking, and a failure is told to who asked', async () => {
  const turns = createTurns();
  const said: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.take('a', async () => {
    said.push('first');
    await gate.promise;
    throw new Error('broken');
  });
  const second = turns.take('a', async () => said.push('second'));
  await turns.take('b', async () => said.push('other'));
  expect(said).toEqual(['first', 'other']);
  expect([turns.taken('a'), turns.taken('b')]).toEqual([true, false]);
  gate.resolve();
  await expect(first).rejects.toThrow('broken');
  await second;
  expect(said).toEqual(['first', 'other', 'second']);
  expect(turns.taken('a')).toBe(false);
});

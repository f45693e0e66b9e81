import { expect, test } from 'vitest';
import { commonFault, type Hand, lacking } from '../../src/daemon/crew.ts';

const CAMPAIGN = { id: 7, state: 'running', label: 'bench' } as const;
const WAITING = { generate: 2, evaluate: 1 };

function hand(changed: Partial<Hand> = {}): Hand {
  return { host: 'a', label: 'bench', roles: ['generate', 'evaluate'], state: 'active', faults: {}, ...changed };
}

test('what nobody can do is missed by role and label', () => {
  expect(lacking(CAMPAIGN, WAITING, [])).toEqual([
    '2 pieces of work wait for a worker that generates',
    '1 piece of work waits for a worker that evaluates under the label bench',
  ]);
  expect(lacking(CAMPAIGN, WAITING, [hand()])).toEqual([]);
  expect(lacking(CAMPAIGN, WAITING, [hand({ label: 'other' })])).toEqual([
    '1 piece of work waits for a worker that evaluates under the label bench',
  ]);
  expect(lacking({ ...CAMPAIGN, label: null }, WAITING, [hand({ label: 'other' })])).toEqual([]);
  expect(lacking(CAMPAIGN, WAITING, [hand({ roles: ['evaluate'] })])).toHaveLength(1);
  expect(lacking(CAMPAIGN, WAITING, [hand({ state: 'draining' })])).toHaveLength(2);
  expect(lacking(CAMPAIGN, WAITING, [hand({ faults: { disk: 'no room' } })])).toHaveLength(2);
  expect(lacking(CAMPAIGN, { generate: 0, evaluate: 0 }, [])).toEqual([]);
  expect(lacking({ ...CAMPAIGN, state: 'paused' }, WAITING, [])).toEqual([]);
});

test('a fault is common when all have it who could do the work', () => {
  const ill = hand({ faults: { 7: 'no compiler' } });
  expect(commonFault(CAMPAIGN, WAITING, [ill])).toBe('no worker that generates gets on (a: no compiler)');
  expect(commonFault(CAMPAIGN, WAITING, [ill, hand({ host: 'b' })])).toBeNull();
  expect(commonFault(CAMPAIGN, WAITING, [])).toBeNull();
  // Somebody well who may not measure is no help.
  expect(commonFault(CAMPAIGN, { generate: 0, evaluate: 1 }, [ill, hand({ host: 'b', label: 'other' })])).toContain(
    'evaluates',
  );
  expect(commonFault(CAMPAIGN, WAITING, [ill, hand({ host: 'b', state: 'draining' })])).toContain('a: no compiler');
  // Who only waits for room holds nobody up.
  expect(commonFault(CAMPAIGN, WAITING, [hand({ faults: { disk: 'no room' } })])).toBeNull();
  // A fault of another campaign's work.
  expect(commonFault(CAMPAIGN, WAITING, [hand({ faults: { 8: 'no compiler' } })])).toBeNull();
  expect(commonFault(CAMPAIGN, { generate: 0, evaluate: 0 }, [ill])).toBeNull();
});

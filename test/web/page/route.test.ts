import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patchCommand } from '../../../src/web/page/parts/patch.ts';
import { hrefOf, parseRoute, type Route } from '../../../src/web/page/route.ts';

const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.isWellFormed());
const ordinal = fc.nat({ max: 999_999_999 });

const routes: fc.Arbitrary<Route> = fc.oneof(
  fc.constant<Route>({ page: 'campaigns' }),
  fc.record({
    page: fc.constant('campaign' as const),
    name,
    outcome: fc.option(fc.constantFrom('failed', 'candidate', 'a&b=c #')),
    before: fc.option(ordinal),
  }),
  fc.record({ page: fc.constant('job' as const), name, ordinal }),
);

test('an address names the route that it was made of', () => {
  fc.assert(fc.property(routes, (route) => void expect(parseRoute(hrefOf(route))).toEqual(route)));
});

test.each([
  '',
  '#',
  '#/',
  '#/campaigns',
  '#/campaigns/',
  '#/campaigns/%',
  '#/else/x',
  '#/campaigns/x/jobs',
  '#/campaigns/x/jobs/-1',
  '#/campaigns/x/jobs/1/2',
  '#/campaigns/x/else/1',
])('%j names no more than the list', (hash) => {
  expect(parseRoute(hash)).toEqual({ page: 'campaigns' });
});

test.each([
  [patchCommand('zstd'), 'clade patch zstd'],
  [patchCommand('zstd', 'abc123'), 'clade patch zstd --commit abc123'],
  [patchCommand("it's $(here)"), "clade patch 'it'\\''s $(here)'"],
])('%s', (command, expected) => {
  expect(command).toBe(expected);
});

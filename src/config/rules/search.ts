import { leastWarmup } from '../normalise.ts';
import type { Rule } from './rule.ts';

const MAX_CELLS = 1_000_000;

const gridIsBounded: Rule = ({ search: { grid, projection } }, report) => {
  const cells = grid.cells ** projection.dimensions;
  if (cells <= MAX_CELLS) return;
  report.error(
    ['search', 'grid', 'cells'],
    `search.grid.cells ${grid.cells} in ${projection.dimensions} dimensions makes ${cells} cells; at most ${MAX_CELLS}`,
  );
};

const warmupSaysSomething: Rule = ({ search: { warmup, projection } }, report) => {
  const least = leastWarmup(projection.dimensions);
  if (warmup >= least) return;
  report.warning(
    ['search', 'warmup'],
    `search.warmup ${warmup} is below ${least}, twice the dimensions + 1: the first projection fits its few states, not their differences`,
  );
};

const warmupFitsHistory: Rule = ({ search: { warmup, projection } }, report) => {
  if (projection.history >= warmup) return;
  report.error(
    ['search', 'projection', 'history'],
    `search.projection.history ${projection.history} is less than search.warmup ${warmup}`,
  );
};

const warmupLeavesBudget: Rule = ({ search, budget }, report) => {
  if (search.policy !== 'quality-diversity' || budget.jobs > search.warmup) return;
  report.warning(
    ['budget', 'jobs'],
    `budget.jobs ${budget.jobs} does not reach beyond search.warmup ${search.warmup}: every job would start from the root`,
  );
};

const radiusGrows: Rule = ({ search: { inspirations } }, report) => {
  if (inspirations.radius <= inspirations.maxRadius) return;
  report.error(
    ['search', 'inspirations', 'radius'],
    `search.inspirations.radius ${inspirations.radius} is above max_radius ${inspirations.maxRadius}`,
  );
};

export const searchRules: readonly Rule[] = [
  gridIsBounded,
  warmupSaysSomething,
  warmupFitsHistory,
  warmupLeavesBudget,
  radiusGrows,
];

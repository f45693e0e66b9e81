/**
 * What a set of modules is worth. Pure and without chance, so that the benchmark can ask it a hundred thousand times.
 */

/** The planted optimum. A pair counts only when both of its modules are right: one alone changes nothing. */
const PAIRS = [
  { loader: 2, parser: 5 },
  { planner: 4, cache: 1 },
];
const STRATEGIES = 8;

export const MODULES = PAIRS.flatMap((pair) => Object.keys(pair));
export const BEST_SCORE = PAIRS.length;

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const STATEMENT = /^export\s+const\s+strategy\s*=\s*(\d+);?$/;

/**
 * @param {(name: string) => string | undefined} read the text of a module
 * @returns {object} the result of the evaluator contract
 */
export function judge(read) {
  const strategies = new Map();
  for (const name of MODULES) {
    const code = (read(name) ?? '').replace(COMMENT, '').trim();
    const strategy = Number(STATEMENT.exec(code)?.[1] ?? Number.NaN);
    if (Number.isNaN(strategy)) return invalid('build', `modules/${name}.js does not export one whole number`);
    if (strategy >= STRATEGIES) return invalid('test', `modules/${name}.js: there is no strategy ${strategy}`);
    strategies.set(name, strategy);
  }
  const right = (pair) => Object.entries(pair).every(([name, strategy]) => strategies.get(name) === strategy);
  const score = PAIRS.filter(right).length;
  const cost = MODULES.reduce((sum, name, index) => sum + costOf(strategies.get(name), index), 0);
  return {
    status: 'valid',
    objectives: { score, cost },
    identity: [...strategies.values()].join(','),
    summary: `${score} of ${PAIRS.length} pairs are right, cost ${cost}`,
    evidence: [...strategies].map(([name, strategy]) => `${name}: strategy ${strategy}\n`).join(''),
  };
}

/** 1 to 8, another order for each module: what is cheap says nothing of what is right. */
function costOf(strategy, index) {
  return 1 + ((5 * strategy + 3 * index) % STRATEGIES);
}

function invalid(kind, summary) {
  return { status: 'invalid', kind, summary, evidence: '' };
}

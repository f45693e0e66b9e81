import { type Contract, invalid } from 'clade/evaluator';
import type { Benchmark, Case, Context } from './benchmark.ts';
import type { Settings } from './settings.ts';
import { Version } from './version.ts';

const SHOWN_CHARACTERS = 300;
const SHOWN_NAMES = 30;

/**
 * Puts all cases of the benchmark to both versions, before anything is timed: an answer must be the expected one, and where none is
 * given, the root's.
 *
 * @throws Refusal `test` for an answer that is not as expected, `gate` for one that is not the root's
 */
export async function checkCases(
  benchmark: Benchmark,
  { rootDir }: Contract,
  settings: Settings,
  context: Context,
): Promise<number> {
  const cases = (await benchmark.cases?.(context)) ?? [];
  if (cases.length === 0) return 0;
  const root = await Version.start({ whose: 'root', directory: rootDir }, settings, context);
  try {
    const candidate = await Version.start({ whose: 'candidate', directory: process.cwd() }, settings, context);
    try {
      const open = cases.filter((each) => each.expected === undefined);
      const [answers, rootAnswers] = await Promise.all([ask(candidate, cases), ask(root, open)]);
      compareAnswers(benchmark, cases, answers, new Map(open.map((each, i) => [each, String(rootAnswers[i])])));
    } finally {
      candidate.stop();
    }
  } finally {
    root.stop();
  }
  return cases.length;
}

async function ask(version: Version, cases: readonly Case[]): Promise<readonly unknown[]> {
  const { answers } = await version.ask({ job: 'answer', inputs: cases.map(({ input }) => input) });
  return Array.isArray(answers) ? answers : [];
}

function compareAnswers(
  benchmark: Benchmark,
  cases: readonly Case[],
  answers: readonly unknown[],
  byRoot: ReadonlyMap<Case, string>,
): void {
  const same = benchmark.same ?? ((actual: string, expected: string) => actual === expected);
  const compared = cases.map((each, i) => ({
    ...each,
    kind: byRoot.has(each) ? ('gate' as const) : ('test' as const),
    wanted: byRoot.get(each) ?? each.expected ?? '',
    actual: String(answers[i]),
  }));
  // An answer must be the root's to the letter; what is allowed to differ from a specification, `same` says.
  const wrong = compared.filter(({ kind, wanted, actual }) =>
    kind === 'gate' ? actual !== wanted : !same(actual, wanted),
  );
  const [first] = wrong.toSorted((a, b) => Number(a.kind === 'gate') - Number(b.kind === 'gate'));
  if (first === undefined) return;
  const names = wrong.slice(0, SHOWN_NAMES).map(({ name }) => name);
  invalid(
    first.kind,
    `${wrong.length} of ${cases.length} cases fail, the first is ${first.name}`,
    `failing: ${names.join(', ')}${wrong.length > SHOWN_NAMES ? ' …' : ''}\n${difference(first)}`,
  );
}

/** The texts from shortly before the first character in which they differ. */
function difference({ input, wanted, actual }: { input: unknown; wanted: string; actual: string }): string {
  let at = 0;
  while (at < wanted.length && wanted[at] === actual[at]) at += 1;
  const from = Math.max(0, at - 40);
  const part = (text: string): string => JSON.stringify(text.slice(from, from + SHOWN_CHARACTERS));
  const asked = JSON.stringify(input).slice(0, SHOWN_CHARACTERS);
  return `input:    ${asked}\nexpected: ${part(wanted)}\nactual:   ${part(actual)}\n`;
}

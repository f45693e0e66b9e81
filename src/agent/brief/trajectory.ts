import type { Numbers, Step } from './input.ts';
import { change, scores, value } from './numbers.ts';
import { bullets, code, headline } from './text.ts';

const FILES_SHOWN = 5;

/**
 * A line of descent, step by step, the oldest first; older steps than the latest `shown` are one line, so that a long line is told
 * at the cost of a short one.
 * @param line begins with what the first step started from, which is not told itself
 * @param compared objectives that every step is compared with, besides those of the step before
 */
export function trajectory(line: readonly Step[], compared: Numbers | null, shown: number): string {
  const latest = Math.max(1, line.length - shown);
  const earlier = line.slice(0, latest);
  const items = line.slice(latest).map((step, index) => stepOf(step, line[latest + index - 1] ?? step, compared));
  return bullets(earlier.length > 1 ? [rolledUp(earlier), ...items] : items);
}

function stepOf(step: Step, before: Step, compared: Numbers | null): string {
  const told = headline(scores(step.objectives, [before.objectives, compared]), 400);
  return `#${step.ordinal} ${headline(step.title, 100)}: ${told}${extentOf(step)}`;
}

function extentOf({ extent }: Step): string {
  if (extent === null) return '';
  const { files, added, deleted } = extent;
  return `; ${files} ${files === 1 ? 'file' : 'files'}, +${added} −${deleted} lines`;
}

/** Several steps as one: how many, what the objectives came to, where most of it happened. */
function rolledUp(line: readonly Step[]): string {
  const steps = line.slice(1);
  const measured = line.filter(({ objectives }) => objectives !== null);
  const [from, to] = [measured.at(0)?.objectives ?? null, measured.at(-1)?.objectives ?? null];
  const moved = Object.entries(to ?? {}).map(([name, number]) => {
    const before = from?.[name];
    const shown = before === undefined ? value(number) : `${value(before)} → ${value(number)}`;
    return `${headline(name)} ${shown} (${change(before, number)})`;
  });
  const [first, last] = [steps[0]?.ordinal, steps.at(-1)?.ordinal];
  const range = first === last ? `#${last}` : `#${first} to #${last}`;
  const sums = moved.length === 0 ? 'no valid evaluation' : headline(moved.join(', '), 400);
  return `${steps.length} earlier ${steps.length === 1 ? 'step' : 'steps'} (${range}): ${sums}; ${filesOf(steps)}`;
}

function filesOf(steps: readonly Step[]): string {
  const times = new Map<string, number>();
  for (const { paths } of steps) for (const path of paths) times.set(path, (times.get(path) ?? 0) + 1);
  const ranked = [...times].sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1));
  const shown = ranked.slice(0, FILES_SHOWN).map(([path, count]) => `${code(path)} in ${count}`);
  const more = ranked.length - shown.length;
  return `files: ${shown.join(', ') || 'none'}${more > 0 ? ` and ${more} more` : ''}`;
}

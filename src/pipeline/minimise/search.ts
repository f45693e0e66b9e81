import type { FileChange } from './change.ts';
import { type Answer, ddmin } from './ddmin.ts';
import { splitStatements } from './statements.ts';
import { fileUnits, keptChanges, spliceUnits, type Unit } from './unit.ts';

/** What the search cuts along, from coarse to fine. */
export type Level = 'file' | 'hunk' | 'statement';
const LEVELS: readonly Level[] = ['file', 'hunk', 'statement'];

/** What the search asks for. */
export interface Judge<Part extends { readonly tree: string }> {
  /** Makes a tree of some changes. */
  make(changes: readonly FileChange[]): Promise<Part>;
  /** Whether a part is enough, by one measurement; a tree is asked for once. */
  judge(part: Part, at: Look): Promise<Answer>;
  /** Whether a part that was found enough is so when it is measured afresh beside the whole. */
  confirm(part: Part): Promise<Answer>;
}

/** What a question is about, for people to look at. */
export interface Look {
  readonly level: Level;
  /** Units of this level in the part, and in the smallest that was enough. */
  readonly units: number;
  readonly of: number;
}

export interface Found<Part> {
  /** The smallest that is confirmed; null when none is smaller than the whole. */
  readonly part: Part | null;
  /** Whether no single unit of the finest level can be left out, as far as the measurements say. */
  readonly minimal: boolean;
}

interface State<Part> {
  readonly level: number;
  readonly changes: readonly FileChange[];
  readonly part: Part;
}

/**
 * Reduces changes over files, then hunks, then statements. What comes out is confirmed by a fresh measurement, since one of
 * many parts may have been enough by luck: one that is refuted counts as not enough, and the search goes on from the last
 * part before it that is confirmed.
 * @param trees ids that need no measurement: of the whole, which is enough, and of nothing, which is not
 */
export async function searchMinimal<Part extends { readonly tree: string }>(
  whole: readonly FileChange[],
  trees: { readonly whole: string; readonly nothing: string },
  judge: Judge<Part>,
): Promise<Found<Part>> {
  const known = new Map<string, Answer>([
    [trees.whole, 'holds'],
    [trees.nothing, 'fails'],
  ]);
  /** Each smaller than the one before. */
  const enough: State<Part>[] = [];

  const reduceAt = async (level: number, changes: readonly FileChange[]) => {
    const name = LEVELS[level] ?? 'statement';
    const units = name === 'file' ? fileUnits(changes) : spliceUnits(changes);
    let of = units.length;
    return ddmin(units, async (kept: readonly Unit[]): Promise<Answer> => {
      const some = keptChanges(changes, kept);
      const part = await judge.make(some);
      const answer = known.get(part.tree) ?? (await judge.judge(part, { level: name, units: kept.length, of }));
      if (answer === 'spent') return answer;
      known.set(part.tree, answer);
      if (answer === 'holds') {
        enough.push({ level, changes: some, part });
        of = kept.length;
      }
      return answer;
    }).then(({ kept, minimal }) => ({ changes: keptChanges(changes, kept), minimal }));
  };

  /** From a level down to the finest one. */
  const descend = async (from: number, changes: readonly FileChange[]): Promise<boolean> => {
    let reduced = { changes, minimal: true };
    for (let level = from; level < LEVELS.length; level += 1) {
      const cut = LEVELS[level] === 'statement' ? await splitStatements(reduced.changes) : reduced.changes;
      reduced = await reduceAt(level, cut);
    }
    return reduced.minimal;
  };

  /** Goes back to the smallest part that is confirmed; `before` is the one that was so till now. */
  const goBack = async (before: State<Part> | null): Promise<Back<Part>> => {
    for (let refuted = false; ; refuted = true) {
      const last = enough.at(-1);
      if (last === before && last !== undefined) return { confirmed: before, refuted, spent: false };
      if (last === undefined || last.part.tree === trees.whole) return { confirmed: null, refuted, spent: false };
      const answer = await judge.confirm(last.part);
      if (answer === 'spent') return { confirmed: before, refuted, spent: true };
      if (answer === 'holds') return { confirmed: last, refuted, spent: false };
      known.set(last.part.tree, 'fails');
      while (enough.at(-1)?.part.tree === last.part.tree) enough.pop();
    }
  };

  let confirmed: State<Part> | null = null;
  for (;;) {
    const minimal = await descend(confirmed?.level ?? 0, confirmed?.changes ?? whole);
    const back: Back<Part> = await goBack(confirmed);
    ({ confirmed } = back);
    if (back.spent || !back.refuted) return { part: confirmed?.part ?? null, minimal: minimal && !back.spent };
  }
}

interface Back<Part> {
  readonly confirmed: State<Part> | null;
  /** Whether any part on the way was not. */
  readonly refuted: boolean;
  readonly spent: boolean;
}

/**
 * `clade/evaluator`: what an evaluator in JavaScript needs. It imports only `node:` modules and is copied, types stripped, into
 * the pinned bundle of a campaign, so that an evaluator's measurements do not change when Clade does.
 *
 * - `main` runs an evaluator: its result is written, a `Refusal` is an invalid evaluation, anything else that is thrown is the
 *   machine's fault (exit 75)
 * - `contract`, `options` where it runs and what its campaign asked for; `writeResult`, `invalid`, `infrastructure` its answers
 * - `splitSeed` the seed of inputs that are generated for a split, out of reach of the other splits
 * - `compare` the statistics of paired rounds; `measurePaired` the rounds; `pairedResult` both as an objective
 * - `timeCommand`, `peakMemory`, `countInstructions` one run of a command; `pairCommands` a paired measurement of one
 * - `buildBoth`, `runCheck` commands that both versions, or the candidate, must pass; `identityOf` what was built, as a hash
 */

export { buildBoth, type CheckOptions, runCheck } from './build.ts';
export { type Comparison, compare } from './compare.ts';
export { type Contract, contract } from './contract.ts';
export { identityOf, listFiles } from './files.ts';
export { type Counted, type Counter, type CountOptions, countInstructions } from './instructions.ts';
export { main } from './main.ts';
export { peakMemory } from './memory.ts';
export { options } from './options.ts';
export {
  type Clock,
  type CommandComparison,
  type CommandPair,
  type Medians,
  pairCommands,
  type Side,
} from './pair-commands.ts';
export { measurePaired, type Order, type Paired, type PairedOptions, type PairedPlan } from './paired.ts';
export { type PairedResult, pairedResult } from './paired-result.ts';
export { type InvalidKind, infrastructure, invalid, MachineFault, Refusal, StartError } from './refusal.ts';
export { type Result, writeResult } from './result.ts';
export { splitSeed } from './split-seed.ts';
export { type CommandOptions, type TimedRun, timeCommand } from './time.ts';

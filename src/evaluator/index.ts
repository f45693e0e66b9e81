/**
 * The judge: any executable, run on a checkout of a candidate, and the strict reading of what it says.
 *
 * - `evaluate` one run of the evaluator by the contract: its steps in order, environment, sandbox, results, artifacts
 * - `prepareEvaluator` what is done once before it, in the root's checkout; `endText` how a command ended
 * - `visibilityOf` which hidden paths an evaluation or an agent sees
 * - `Stage`, `EvaluationHooks` what a step did, and who is told as soon as it ended
 * - `parseResult` the JSON of an evaluator to an `Evaluation`; never throws
 * - `pinBundle`, `verifyBundle` the campaign's own files, copied away under their hash so that nobody edits the judge
 * - `packBundle`, `unpackBundle` the same as an archive, for other machines
 * - `clip` the beginning and the end of a text that is too long
 * - `collectArtifacts` what was left in CLADE_ARTIFACTS, with caps
 */

export { packBundle, unpackBundle } from './archive.ts';
export { type ArtifactFile, type CollectedArtifacts, collectArtifacts } from './artifacts.ts';
export { type Bundle, pinBundle, verifyBundle } from './bundle.ts';
export { type EvaluationRecord, type EvaluationRequest, evaluate } from './evaluate.ts';
export { clip, type Evaluation, type InvalidEvaluation, type InvalidKind, type ValidEvaluation } from './evaluation.ts';
export { visibilityOf } from './hidden.ts';
export { endText } from './outcome.ts';
export { parseResult } from './parse-result.ts';
export { prepareEvaluator } from './prepare.ts';
export { type EvaluationHooks, NO_HOOKS, type Stage } from './stage.ts';

/**
 * The straight line of one job, step by step: each step takes its input, what it depends on and a signal, and returns what
 * came of it. Nothing here decides what happens next or writes a job's state; `daemon/` does.
 *
 * - `folders`   where a workspace and its campaigns keep their state
 * - `workshop`  the hub, the root and the pinned evaluator of a campaign
 * - `prepare`   `target.prepare`, once per machine and root; the user's commands
 * - `lanes`     numbered places to work in; `checkout` puts a commit into one
 * - `left`      what a job that was cut off left in its lane
 * - `assemble`  what a job's agent may know
 * - `generate`  base → planner → coder → the one commit
 * - `measure`   commit → evaluator → record
 * - `noise`     measurements of one commit → how far apart equal candidates may be
 * - `repeat`    the root measured again and again
 * - `describe`  commit → repository vector; `facts`, what other descriptors need
 * - `minimise`  a candidate without what does not pay
 * - `record`    proposals → a recording of them
 * - `prove`     winner → patches, applied and measured in a fresh clone
 */
export { type Assembled, assemble } from './assemble/index.ts';
export { onOneCpu } from './cpu.ts';
export { type Describer, openDescriber } from './describe.ts';
export { type Facts, type FactsRequest, gatherFacts } from './facts.ts';
export { type CampaignFolders, campaignFolders, hubOf, type WorkspaceFolders, workspaceFolders } from './folders.ts';
export {
  commitMessage,
  type Earlier,
  type Generated,
  type GenerateInput,
  generate,
  type Maker,
  type Makers,
  type ModelRun,
  type Planned,
  sumUsage,
  type Usage,
} from './generate/index.ts';
export { type Finding, inspect } from './inspect.ts';
export { createLanes, type Lanes } from './lanes.ts';
export { type Left, leftBehind } from './left.ts';
export { type Artifact, type Measured, type MeasureInput, measure } from './measure.ts';
export {
  type Minimised,
  type MinimisedPart,
  type MinimiseProgress,
  minimise,
} from './minimise/index.ts';
export { type Noise, noiseOf } from './noise.ts';
export { prepareRoot } from './prepare.ts';
export { type ProofRequest, type ProvedPatch, prove } from './prove.ts';
export { type Recorded, type RecordingOf, recordedFiles, type Written, writeRecording } from './record/index.ts';
export { measureRoot } from './repeat.ts';
export { openWorkshop, type Pinned, type Workshop } from './workshop.ts';

/**
 * Agents: what turns a base commit and a brief into edits of a worktree.
 *
 * - `task.ts`      the port `Agent`, and the `Task` it is given
 * - `models.ts`    how it reaches a model
 * - `event.ts`     what an agent reports while it works
 * - `proposal.ts`  `summarise`: the fold of a run's events
 * - `plan.ts`      `planOf`: what a planner wrote
 * - `brief/`       `composeBrief`, `renderBrief`: what an agent is told, one module a section; `input.ts`, what it is made of
 * - `mutate/`      genetic improvement on syntax trees, offline; `measureSyntax`: what a file's tree amounts to;
 *                  `hunksBetween`, `nodesWithin`: what changed between two texts, and what lies whole in a range of lines
 * - `process/`     what agents that are processes have in common: HOME, sandbox, the way to the model
 * - `command/`     any command-line agent
 * - `acp/`         any agent that speaks the Agent Client Protocol
 * - `openai/`      the built-in agent (and `askOnce`, a question that is no proposal) on any OpenAI-compatible server
 * - `replay/`      the recorded proposals of another campaign, and the form of a recording
 * - `create.ts`    `createAgent`: configuration to adapter
 *
 * The contract of every agent is the difference it leaves in the worktree; whether an agent succeeded is for the
 * pipeline to judge from that difference, never from what the agent says of itself.
 */

export type { Brief, BriefSection } from './brief/brief.ts';
export { composeBrief, renderBrief } from './brief/brief.ts';
export type { BriefInput, FileChange, Inspiration, KeyFile, KeyFiles, Relative, Rework, Step } from './brief/input.ts';
export { headline } from './brief/text.ts';
export type { AgentDependencies } from './create.ts';
export { createAgent } from './create.ts';
export type { AgentEvent, FailureKind } from './event.ts';
export type { ModelAccess } from './models.ts';
export { type Hunk, hunksBetween, splitLines } from './mutate/hunk.ts';
export { measureSyntax, type SyntaxMeasure } from './mutate/measure.ts';
export { type LineRange, nodesWithin } from './mutate/within.ts';
export { askOnce, type Question } from './openai/ask-once.ts';
export { type Plan, planOf } from './plan.ts';
export type { Outcome, Proposal } from './proposal.ts';
export { summarise } from './proposal.ts';
export {
  PROPOSALS_FILE,
  RECORDING_FILE,
  RECORDING_FORMAT,
  type RecordedContent,
  type RecordedFile,
  type RecordedProposal,
  type RecordingHead,
} from './replay/format.ts';
export { openRecording, type Recording } from './replay/recording.ts';
export type { Agent, FilePatch, InspirationPatch, Task } from './task.ts';

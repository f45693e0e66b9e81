/**
 * Children of Clade: how they start, how they are fenced in, and how they end.
 *
 * - `run` starts one child and owns its whole life: deadline, grace, kill, sweep, captured output
 * - `launch` starts one and leaves the rest to the caller; for our own tools, such as Git
 * - `Limits` what one run may use; `NO_LIMITS` to begin from
 * - `baseEnvironment` the complete environment that a child gets
 * - `probeIsolation` what this machine can fence; `bubblewrapArguments` the fence as data
 * - `nameWorkspace`, `workspaceMark`, `sweepStrays`, `findMarked` what a dead daemon left behind, and ending it
 * - `processStart` tells one process from a later one with the same pid (the workspace lock uses it too)
 * - `leaseCpu` a CPU for one alone, machine-wide; `allowedCpus` those that there are; `observeLoad` what the others did meanwhile
 * - `machineLabel` what this machine measures like
 * - `redactor` takes known secrets out of a text
 * - `removeFolder` a folder gone, whatever a child made of it
 * - `findExecutable` where a command lies on a PATH
 */
export { type BubblewrapPlan, bubblewrapArguments } from './bubblewrap.ts';
export { type CpuLease, leaseCpu } from './cpu/lease.ts';
export { allowedCpus } from './cpu/list.ts';
export { type LoadObserver, type MachineLoad, observeLoad } from './cpu/load.ts';
export { CHILD_ENDED, type ChildEnd } from './ended.ts';
export { baseEnvironment, type EnvironmentRequest } from './environment.ts';
export { findExecutable } from './executable.ts';
export { type Isolation, probeIsolation } from './isolation.ts';
export { machineLabel } from './label.ts';
export { type Input, type Launched, launch, type Program } from './launch.ts';
export { type Limits, NO_LIMITS } from './limit/limits.ts';
export { nameWorkspace, workspaceMark } from './mark.ts';
export { processStart } from './proc.ts';
export { redactor } from './redact.ts';
export { removeFolder } from './remove.ts';
export type { Captured, IsolationLevel, RunEnd, RunRequest, RunResult } from './request.ts';
export { run } from './run.ts';
export type { SandboxSpec } from './sandbox.ts';
export { findMarked, sweepStrays } from './sweep.ts';

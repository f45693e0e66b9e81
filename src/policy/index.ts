/**
 * How the next batch is chosen; pure.
 *
 * - `policy`             the port: `PolicyView` → `JobSpec[]`, with a `Decision` that explains each
 * - `quality-diversity`  bases and inspirations from the archive, from the root while it warms up
 * - `registry`           policies by name: `planBatch`
 */
export type { Decision, JobSpec, Policy, PolicyView } from './policy.ts';
export type { PolicyName } from './registry.ts';
export { planBatch, policies } from './registry.ts';

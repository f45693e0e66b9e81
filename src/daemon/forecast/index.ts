/**
 * What the models of a campaign will cost, and whether they answer.
 *
 * - `users`     who asks which model, and how
 * - `forecast`  tokens and money of the jobs that are left; pure
 * - `probe`     the least that can be asked of each model
 */
export { type Forecast, forecast, type Share, type Span, type Spent } from './forecast.ts';
export { type Probe, probeModels } from './probe.ts';
export { type ModelUser, modelUsers } from './users.ts';

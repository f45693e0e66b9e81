/**
 * What is kept of jobs that are over: never their records, their commits or what a winner needs, but files and texts that grow for weeks.
 *
 * - `tidy`    one look at a campaign: what goes, and its removal
 * - `spared`  the jobs of which everything stays
 * - `files`   what lies in folders of this machine
 * - `hourly`  the leader does it now and then
 */
export { hourly } from './hourly.ts';
export { type TidyView, tidy } from './tidy.ts';

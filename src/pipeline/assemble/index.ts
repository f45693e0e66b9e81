/**
 * What a job's agent may know, from what was settled before its batch.
 *
 * - `assemble`   all of it: the brief's input, and answers that an agent asks for
 * - `brief`      what the brief is composed from
 * - `line`       lines of descent and where two of them part
 * - `relatives`  candidates as a brief speaks of them
 * - `metrics`    which of an evaluation's numbers are told
 * - `key-files`  the files that matter most, with their differences
 * - `patches`    inspirations as texts of files
 */
export { type Assembled, assemble } from './assemble.ts';

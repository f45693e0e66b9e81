/**
 * The proposals of a campaign as a recording, which the agent `replay` reads.
 *
 * - `files`  what lies between two commits, whole in itself
 * - `patch`  texts as a proved diff
 * - `write`  the two files of a recording
 */
export { recordedFiles } from './files.ts';
export { type Recorded, type RecordingOf, type Written, writeRecording } from './write.ts';

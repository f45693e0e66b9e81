/**
 * What a process says of its work: lines for people and programs, and spans where somebody collects them.
 *
 * - `log`      the logger of a process; `line`, what is written of one
 * - `job`      a part of a job, with a log of its own beside that of the process, and a span around it
 * - `span`     spans of OpenTelemetry; nothing happens unless the process was started with an SDK
 * - `children` every child that ended, at the level `debug`
 */
export { inJob, type JobLogs, type JobLogView, type JobPart, jobLogFile, jobLogs, readJobLog, toldOf } from './job.ts';
export { createLog, type Fields, LEVELS, type Level, type Log, silent } from './log.ts';
export { callSpan, inSpan, parentOf, type SpanParent, stageSpan } from './span.ts';

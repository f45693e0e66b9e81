/**
 * Who is told what happens, by POST or by a command.
 *
 * - `message`    an event as a message: JSON with one plain line of text
 * - `deliver`    one message to one receiver, once
 * - `post`       tells all receivers of a campaign, each in the order of the log, again and again until it is taken or given up
 * - `leader`     who may tell: the one that leads the campaign, or takes the lead in passing while nobody has it
 * - `campaign`   the post of a campaign that this process leads, and of one that rests
 * - `rehearse`   a test message to each receiver; `inspect`, what keeps one from working
 */
export { folderOf, type Office, postAtRest, postOf } from './campaign.ts';
export { inspectNotify } from './inspect.ts';
export { type RehearsalView, rehearse } from './rehearse.ts';

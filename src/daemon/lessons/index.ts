/**
 * What a campaign has learned, written anew every so many jobs by a model.
 *
 * - `keeper`    when, by whom, and what waits for it
 * - `question`  what the model is asked
 */
export { createKeeper, type LessonKeeper, lessonWriter } from './keeper.ts';

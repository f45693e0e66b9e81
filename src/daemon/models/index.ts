/**
 * The model calls of a campaign.
 *
 * - `openModels`  its gateway and budget, each call as a row and a file
 */
export { type Models, type ModelsOptions, openModels } from './models.ts';

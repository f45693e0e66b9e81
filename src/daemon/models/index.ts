/**
 * The model calls of a campaign.
 *
 * - `openModels`  its gateway and budget, each call as a row and a file
 * - `looseEmbeddings`  embeddings of a command that works on no campaign
 */
export { embedderOf, looseEmbeddings } from './embedding.ts';
export { type Models, type ModelsOptions, openModels } from './models.ts';

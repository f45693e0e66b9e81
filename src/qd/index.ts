/**
 * The pure core of the search: no I/O, no clock, no randomness but the injected generator.
 *
 * - `rng`         seeded generators, one for each (seed, island, ordinal, purpose)
 * - `objectives`  measured values → points, larger is better
 * - `front`       the bounded ε-Pareto set of one cell: `offer`, `frontOf`
 * - `projection`  descriptor vector → coordinates in [0,1]^d: `fitProjection`, `project`; `codec` stores it exactly
 * - `grid`        coordinates → cell, and distances between cells
 * - `archive`     the cells of one epoch as a fold: `place`, `replay`
 * - `population`  the history of one island and its epochs: `settle`, `dueFit`, `runFit`; `schedule` says when a fit is due
 * - `rescore`     another score for a settled entry, and the front of its cell folded anew
 * - `sampler`     base and inspirations of the next job: `sampleRecipe`
 * - compare/      how descriptors differ over one history: `reportDescriptor` and its measures
 */
export type { Archive, ArchiveSettings, Entry, Placement, PlacementReason } from './archive.ts';
export { createArchive, elites, occupiedCells, place, primaryBound, replay } from './archive.ts';
export { decodeProjection, encodeProjection } from './codec.ts';
export { cosineDistances, type Distribution, distribution, nearest, type Pairs } from './compare/distances.ts';
export { type DescriptorReport, reportDescriptor } from './compare/report.ts';
export { fileDifferences, objectiveDifferences, separation } from './compare/separation.ts';
export { effectiveRank, explainedVariance, participationRatio, spectrum } from './compare/spectrum.ts';
export { type GridUse, gridUse } from './compare/stability.ts';
export type { AcceptedReason, FrontSettings, Member, Offer, RejectedReason } from './front.ts';
export { frontOf, offer } from './front.ts';
export type { Grid } from './grid.ts';
export { cellCoordinates, cellCount, cellDistance, cellOf, chebyshev } from './grid.ts';
export type { Point } from './objectives.ts';
export { compareByPrimary, lowerBound, orient } from './objectives.ts';
export type { Fit, FitRequest, Fitted, Population, PopulationSettings, Settlement } from './population.ts';
export { createPopulation, dueFit, restorePopulation, runFit, settle } from './population.ts';
export type { Projection, ProjectionSettings } from './projection.ts';
export { fitProjection, project } from './projection.ts';
export { type Refold, rescore, type Score } from './rescore.ts';
export type { Rng, RngParts } from './rng.ts';
export { generatorFor } from './rng.ts';
export type { Recipe, SamplerSettings, Usage } from './sampler.ts';
export { recipeKey, sampleRecipe } from './sampler.ts';
export { epochAt, type Schedule } from './schedule.ts';

/** The answers of the API as the page reads them: types alone, and the one module of the server that it may import. */
export type {
  CampaignStatus,
  CandidateView,
  DiffView,
  EvaluationView,
  EventView,
  Explanation,
  JobView,
  Scored,
  SeriesView,
  TrialView,
} from '../../daemon/index.ts';
export type { Problem } from './problem.ts';

/**
 * The campaign file and what it means.
 *
 * - `Campaign` and its parts: the resolved, frozen configuration that every other folder reads.
 */

export type {
  AgentConfig,
  Budget,
  Campaign,
  EvaluatorConfig,
  ProviderConfig,
  SearchConfig,
  Split,
  Target,
} from './campaign.ts';
export type { Objective } from './objective.ts';

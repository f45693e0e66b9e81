/**
 * The campaign file and what it means.
 *
 * - `Campaign` and its parts: the resolved, frozen configuration that every other folder reads.
 * - `loadCampaign`, `parseCampaign`: campaign.yaml → `{campaign, warnings, errors}`; nothing is printed.
 *   YAML with positions (source) → the preset is filled in (presets) → shape
 *   (schema/, shape) → normalise → rules/.
 * - `formatFinding`: a finding as `campaign.yaml:12:3 message`.
 * - `toWritten`, `frozenPart`, `livePart`, `changedKeys`: a campaign back in the words of its file, and what differs.
 * - `placeOf`: what a person names as the place of a repository; `isRemote`: whether that is a URL.
 * - `restoreCampaign`: a campaign from the two parts that a store keeps.
 * - `parseDuration`, `formatDuration`: `90s` ↔ 90000; `parseSize`, `formatSize`: `8GiB` ↔ bytes.
 * - `campaignJsonSchema`: the schema that is published for editors.
 * - `detectProject`, `scaffoldCampaign`, `campaignName`: the first campaign for a repository, as files to write.
 */

export type {
  AcpConfig,
  AgentConfig,
  AgentsConfig,
  BriefConfig,
  CoderMember,
  CommandConfig,
  MutateConfig,
  OpenaiConfig,
  PlannerConfig,
  ReplayConfig,
} from './agent-config.ts';
export type {
  Budget,
  Campaign,
  EvaluatorConfig,
  EvaluatorStep,
  Finals,
  HiddenPath,
  Limits,
  ProviderConfig,
  Range,
  Remeasure,
  SearchConfig,
  Split,
  Target,
} from './campaign.ts';
export { formatDuration, parseDuration } from './duration.ts';
export { type Finding, formatFinding } from './finding.ts';
export { changedKeys, frozenPart, livePart } from './frozen.ts';
export { campaignJsonSchema } from './json-schema.ts';
export { CAMPAIGN_FILE, type LoadedCampaign, loadCampaign, parseCampaign } from './load.ts';
export { firstCoder } from './members.ts';
export { type CommandReceiver, type Occasion, type Receiver, receiverKey, type UrlReceiver } from './notify.ts';
export type { Criterion, Objective } from './objective.ts';
export { isRemote, placeOf } from './repository.ts';
export { restoreCampaign, type StoredCampaign } from './restore.ts';
export { campaignName, type ScaffoldFile, type ScaffoldRequest, scaffoldCampaign } from './scaffold/campaign.ts';
export { detectProject, type Listing, type Project } from './scaffold/project.ts';
export { formatSize, parseSize } from './size.ts';
export { toWritten } from './written.ts';

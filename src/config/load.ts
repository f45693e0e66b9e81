import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Campaign } from './campaign.ts';
import type { Finding } from './finding.ts';
import { normalise } from './normalise.ts';
import { expandPreset } from './presets.ts';
import { createReport, type Report } from './report.ts';
import { placeOf } from './repository.ts';
import { agentRules } from './rules/agents.ts';
import { diskRules } from './rules/disk.ts';
import { evaluatorRules } from './rules/evaluator.ts';
import { notifyRules } from './rules/notify.ts';
import { searchRules } from './rules/search.ts';
import { targetRules } from './rules/target.ts';
import { checkShape } from './shape.ts';
import { readSource, type Source } from './source.ts';

export const CAMPAIGN_FILE = 'campaign.yaml';

/** `campaign` is null exactly when there are errors. */
export interface LoadedCampaign {
  readonly campaign: Campaign | null;
  readonly warnings: readonly Finding[];
  readonly errors: readonly Finding[];
}

/**
 * Reads the campaign in a folder, or in a file given by its path, and everything that can be said against it. What is
 * wrong with the file, even that it cannot be read, is a finding and not an exception.
 * @param mirror where to fetch the target from instead: a URL, or a path relative to the current folder
 */
export async function loadCampaign(path: string, mirror?: string): Promise<LoadedCampaign> {
  let file = resolve(path);
  try {
    if ((await stat(file)).isDirectory()) file = join(file, CAMPAIGN_FILE);
    return await examine(readSource(file, await readFile(file, 'utf8')), placeOf(mirror));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = error.code === 'ENOENT' ? 'there is no such file' : `cannot be read: ${error.message}`;
    return { campaign: null, warnings: [], errors: [{ path: file, line: 1, column: 1, message }] };
  }
}

/** The same without a look at the disk: `path` only says where the text came from. */
export function parseCampaign(text: string, path: string): LoadedCampaign {
  const source = readSource(resolve(path), text);
  const report = createReport(source);
  return conclude(interpret(source, report), report);
}

async function examine(source: Source, mirror: string | null): Promise<LoadedCampaign> {
  const report = createReport(source);
  const campaign = interpret(source, report, mirror);
  if (campaign !== null) for (const rule of diskRules) await rule(campaign, report);
  return conclude(campaign, report);
}

function interpret(source: Source, report: Report, mirror: string | null = null): Campaign | null {
  if (report.failed) return null;
  const written = checkShape(expandPreset(source.value), report);
  if (written === null) return null;
  const campaign = normalise(written, dirname(source.path), mirror);
  // Where keys were wrong the rules see defaults in their place: advice about those would be about nobody's file.
  const heard = report.failed ? { ...report, warning: () => {} } : report;
  for (const rule of [...targetRules, ...evaluatorRules, ...agentRules, ...searchRules, ...notifyRules])
    rule(campaign, heard);
  return campaign;
}

function conclude(campaign: Campaign | null, report: Report): LoadedCampaign {
  return { campaign: report.failed ? null : campaign, ...report.findings() };
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;
}

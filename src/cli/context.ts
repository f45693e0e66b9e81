import { resolve } from 'node:path';
import { type Campaign, formatFinding, loadCampaign } from '../config/index.ts';
import { type CladeApi, databaseApi } from '../daemon/index.ts';
import { ConfigurationError } from '../errors.ts';
import { workspaceFolders } from '../pipeline/index.ts';
import { openStore } from '../store/index.ts';
import { findAddress, httpApi } from '../web/index.ts';

export interface GlobalOptions {
  readonly workspace: string;
  readonly json: boolean;
}

/** The database server to use instead of the embedded database, by `CLADE_DATABASE_URL`. */
export function databaseUrl(): { databaseUrl?: string } {
  const url = process.env.CLADE_DATABASE_URL;
  return url === undefined || url === '' ? {} : { databaseUrl: url };
}

/** Answers a question about the workspace: through the process that serves it, else from the database itself. */
export async function withApi<T>(
  options: GlobalOptions,
  label: string,
  use: (api: CladeApi) => Promise<T>,
): Promise<T> {
  const workspace = resolve(options.workspace);
  const address = await findAddress(workspaceFolders(workspace).address);
  if (address !== null) return use(httpApi(address));
  const store = await openStore({ workspace, label: `clade ${label}`, ...databaseUrl() });
  try {
    return await use(databaseApi(store.db, workspace));
  } finally {
    await store.close();
  }
}

/**
 * Loads a campaign file; warnings go to stderr.
 * @param target a URL or path to fetch the target from instead of where the file says
 * @throws ConfigurationError with every finding, each with its line.
 */
export async function requireCampaignFile(path: string, target?: string): Promise<Campaign> {
  const { campaign, warnings, errors } = await loadCampaign(resolve(path), target);
  for (const warning of warnings) process.stderr.write(`warning: ${formatFinding(warning, process.cwd())}\n`);
  if (campaign === null) {
    throw new ConfigurationError(errors.map((finding) => formatFinding(finding, process.cwd())).join('\n  '));
  }
  return campaign;
}

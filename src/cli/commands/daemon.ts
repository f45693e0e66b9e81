import { join } from 'node:path';
import { formatFinding, loadCampaign } from '../../config/index.ts';
import { errorText, type RunEnd, watchCampaigns } from '../../daemon/index.ts';
import type { GlobalOptions } from '../context.ts';
import { type LogLevelOptions, processLog } from '../logging.ts';
import { onSignals, serving } from '../serving.ts';

/** Serves every campaign under `campaigns/` until a signal ends it; logs JSON lines to stdout. */
export async function daemon(
  options: GlobalOptions & LogLevelOptions & { readonly port?: number; readonly work?: boolean },
): Promise<number> {
  const log = processLog(options, 'service');
  const reports = {
    onWarning: (campaign: string, warning: string) => log.warn({ campaign }, warning),
    onRest: (campaign: string, end: RunEnd) =>
      log.info({ campaign, ...end }, 'rests until it is resumed or its file changes'),
    onError: (campaign: string, error: unknown) => log.error({ campaign }, errorText(error)),
  };
  return serving(options, 'daemon', log, { onBreak: 'wait', reports }, async ({ host, server, workspace }) => {
    log.info({ dashboard: `${server.url}/`, workspace }, 'serving');
    const stop = new AbortController();
    const release = onSignals(host, (message) => {
      log.info({}, message);
      stop.abort();
    });
    const load = async (path: string) => {
      const { campaign, warnings, errors } = await loadCampaign(path);
      for (const warning of warnings) log.warn({}, formatFinding(warning, workspace));
      for (const error of errors) log.error({}, formatFinding(error, workspace));
      return campaign;
    };
    try {
      await watchCampaigns(
        {
          host,
          load,
          folder: join(workspace, 'campaigns'),
          log: { info: (text) => log.info({}, text), error: (text) => log.error({}, text) },
        },
        stop.signal,
      );
      return 0;
    } finally {
      release();
    }
  });
}

import { serve } from '@hono/node-server';
import type { CladeApi } from '../../daemon/index.ts';
import { InfrastructureError } from '../../errors.ts';
import { createToken, publishAddress, withdrawAddress } from './address.ts';
import { type AppOptions, createApp } from './app.ts';

export interface RunningServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Any free one when absent. */
  readonly port?: number | undefined;
  /** The folder of the built page, where it is not in its usual place. */
  readonly page?: string;
  readonly monitor?: NonNullable<AppOptions['monitor']>;
  /** Null: streams of events look now and then. */
  readonly bell: NonNullable<AppOptions['bell']> | null;
  readonly limits?: NonNullable<AppOptions['limits']>;
}

/**
 * Serves the dashboard and its API on loopback and publishes address and token in `addressFile`.
 * @throws InfrastructureError when the port is taken.
 */
export async function startServer(
  api: CladeApi,
  addressFile: string,
  { port = 0, bell, ...options }: ServerOptions,
): Promise<RunningServer> {
  const token = createToken();
  const app = createApp(api, { token, ...options, ...(bell === null ? {} : { bell }) });
  const { server, bound } = await new Promise<{ server: ReturnType<typeof serve>; bound: number }>(
    (resolve, reject) => {
      const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, (info) =>
        resolve({ server, bound: info.port }),
      );
      server.once('error', (cause) =>
        reject(
          new InfrastructureError(`the dashboard cannot listen on port ${port}`, {
            cause,
            hint: 'choose another with --port',
          }),
        ),
      );
    },
  );
  const url = `http://127.0.0.1:${bound}`;
  const close = async (): Promise<void> => {
    await withdrawAddress(addressFile);
    await app.close();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      if ('closeAllConnections' in server) server.closeAllConnections();
    });
  };
  try {
    await publishAddress(addressFile, { url, token });
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

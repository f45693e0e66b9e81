/**
 * The program that stands before an agent in its sandbox: listens on loopback, pipes every connection to the gateway's socket,
 * and starts the agent with the address in the place of `{gateway}` in its arguments and environment.
 *
 *     node forwarder.js SOCKET COMMAND [ARGUMENT …]
 */
import { spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import { constants } from 'node:os';

const PLACEHOLDER = '{gateway}';
const COULD_NOT_START = 127;

const [socket = '', command = '', ...rest] = process.argv.slice(2);
const server = createServer((near) => {
  const far = connect(socket);
  near.pipe(far).pipe(near);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
});
server.listen(0, '127.0.0.1', () => start(server.address()));

function start(address: AddressInfo | string | null): void {
  const port = typeof address === 'object' ? address?.port : undefined;
  const fill = (text: string): string => text.replaceAll(PLACEHOLDER, `http://127.0.0.1:${port}`);
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, fill(value)]));
  const child = spawn(command, rest.map(fill), { env, stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`${command}: ${error.message}\n`);
    process.exit(COULD_NOT_START);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
}

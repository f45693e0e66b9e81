import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../daemon/fixture.ts';

/** A page in a real browser, driven by the DevTools protocol; only what these tests need of it. */
export interface Browser {
  visit(url: string): Promise<void>;
  /** The value of an expression in the page, as JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until an expression in the page is true. */
  until(expression: string): Promise<void>;
  /** As a person would have set it. */
  emulate(as: { readonly width: number; readonly scheme: 'light' | 'dark' }): Promise<void>;
  /** Addresses that were asked for. */
  readonly requests: string[];
  /** What the console or an exception said, violations of the policy included. */
  readonly complaints: string[];
  close(): Promise<void>;
}

interface Answer {
  readonly result: {
    readonly result: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly text: string };
  };
}

export async function openBrowser(): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-browser-'));
  // The sandbox of the browser needs more than a container gives; what is opened is our own page.
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const options = [...flags, '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'];
  const child = spawn('chromium', options, { stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const socket = new WebSocket(await debuggerOf(child, folder));
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));

  const requests: string[] = [];
  const complaints: string[] = [];
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, ...answer } = JSON.parse(String(data));
    if (id !== undefined) waiting.get(id)?.(answer);
    if (method === 'Network.requestWillBeSent') requests.push(params.request.url);
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(params.exceptionDetails));
    if (method === 'Runtime.consoleAPICalled') complaints.push(JSON.stringify(params.args));
    if (method === 'Log.entryAdded') complaints.push(`${params.entry.text} ${params.entry.url ?? ''}`);
  });
  const send = (method: string, params: object = {}): Promise<Answer> => {
    const id = ++last;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await send(`${domain}.enable`);

  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (result.exceptionDetails !== undefined) throw new Error(`${expression}: ${result.exceptionDetails.text}`);
    return result.result.value as T;
  };
  return {
    requests,
    complaints,
    evaluate,
    until: (expression) => eventually(() => evaluate<boolean>(expression)),
    visit: async (url) => void (await send('Page.navigate', { url })),
    async emulate({ width, scheme }) {
      const size = { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 };
      await send('Emulation.setDeviceMetricsOverride', size);
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    },
    async close() {
      socket.close();
      child.kill();
      await gone;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Where the first page of the browser is driven from. */
async function debuggerOf(child: ChildProcess, folder: string): Promise<string> {
  let port = '';
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`chromium ended with ${child.exitCode}`);
    port = (await readFile(join(folder, 'DevToolsActivePort'), 'utf8').catch(() => '')).split('\n')[0] ?? '';
    return port !== '';
  });
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const pages = (await response.json()) as { readonly type: string; readonly webSocketDebuggerUrl: string }[];
  const page = pages.find(({ type }) => type === 'page');
  if (page === undefined) throw new Error('chromium opened no page');
  return page.webSocketDebuggerUrl;
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const exec = promisify(execFile);
const ip = (...argv: readonly string[]) => exec('ip', [...argv]);

/** A host of its own, as far as the network goes. */
export interface NetworkHost {
  /** Goes before a command to run it there. */
  readonly within: readonly string[];
  /** Takes its link down, and up again. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Hosts on one bridge of this machine. */
export interface Network {
  /** The address of this machine that all of them reach. */
  readonly address: string;
  host(): Promise<NetworkHost>;
}

/** Whether this machine lets us make network namespaces. */
export async function canSplitNetwork(): Promise<boolean> {
  const name = `clade-try-${process.pid}`;
  try {
    await ip('netns', 'add', name);
    await ip('netns', 'del', name);
    return true;
  } catch {
    return false; // not root, no `ip`, or a container that may not
  }
}

/** A bridge with an address of ours, for the length of a test. */
export async function openNetwork(): Promise<Network> {
  // At most 15 characters; two test runs on one machine must not meet.
  const bridge = `cb${process.pid}`;
  const net = `10.213.${process.pid % 250}`;
  await ip('link', 'add', 'name', bridge, 'type', 'bridge');
  onTestFinished(async () => void (await ip('link', 'del', bridge)));
  await ip('addr', 'add', `${net}.1/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  let hosts = 0;
  return {
    address: `${net}.1`,
    async host() {
      hosts += 1;
      const name = `clade-${process.pid}-${hosts}`;
      const [here, there] = [`cv${process.pid}-${hosts}`, `cw${process.pid}-${hosts}`];
      await ip('netns', 'add', name);
      onTestFinished(async () => void (await ip('netns', 'del', name)));
      await ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there);
      await ip('link', 'set', here, 'master', bridge, 'up');
      await ip('link', 'set', there, 'netns', name);
      const within = ['ip', 'netns', 'exec', name];
      await ip('-n', name, 'addr', 'add', `${net}.${hosts + 1}/24`, 'dev', there);
      await ip('-n', name, 'link', 'set', there, 'up');
      await ip('-n', name, 'link', 'set', 'lo', 'up');
      return {
        within,
        cut: async () => void (await ip('link', 'set', here, 'down')),
        mend: async () => void (await ip('link', 'set', here, 'up')),
      };
    },
  };
}

/**
 * Tests that need something of the machine. Where it is missing they are left out with one line that says so; in CI, where
 * it must be there, they fail.
 */
import { describe, test } from 'vitest';
import { findExecutable, probeIsolation } from '../../src/process/index.ts';
import { canMount } from './disk.ts';
import { canSplitNetwork } from './netns.ts';

const REQUIREMENTS = {
  bubblewrap: { install: 'apt-get install bubblewrap', met: async () => (await probeIsolation()).bubblewrap !== null },
  chromium: {
    install: 'apt-get install chromium',
    met: async () => (await findExecutable('chromium', process.env.PATH ?? '', '/')) !== null,
  },
  mounts: { install: 'root that may mount a file system', met: canMount },
  namespaces: { install: 'root that may make network namespaces: ip netns', met: canSplitNetwork },
  unshare: { install: 'root or user namespaces', met: async () => (await probeIsolation()).unshare !== null },
};

export type Requirement = keyof typeof REQUIREMENTS;

/** `describe`, when the machine has what is required. To be awaited at the top of a test file. */
export async function describeIf(requirement: Requirement, name: string, body: () => void): Promise<void> {
  const { install, met } = REQUIREMENTS[requirement];
  if (await met()) {
    describe(name, body);
  } else if (process.env.CI === undefined) {
    console.warn(`left out, needs ${requirement} (${install}): ${name}`);
    describe.skip(name, body);
  } else {
    test(name, () => {
      throw new Error(`CI must have ${requirement} (${install})`);
    });
  }
}

/** `test`, when the machine has what is required; what CI need not have is left out there too, with the reason. */
export function itIf(requirement: Requirement, name: string, timeoutMs: number, body: () => Promise<void>): void {
  test(name, { timeout: timeoutMs }, async ({ skip }) => {
    const { install, met } = REQUIREMENTS[requirement];
    if (await met()) return body();
    console.warn(`left out, needs ${requirement} (${install}): ${name}`);
    skip(`needs ${requirement} (${install})`);
  });
}

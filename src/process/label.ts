import { hostname } from 'node:os';

/**
 * What this machine measures like: `CLADE_LABEL`, else its name. Measurements are compared only with those of the same label, so that
 * machines may share one when they are alike.
 */
export function machineLabel(): string {
  const label = process.env.CLADE_LABEL?.trim();
  return label === undefined || label === '' ? hostname() : label;
}

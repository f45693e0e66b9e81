import type { Campaign } from '../config/index.ts';
import { leaseCpu } from '../process/index.ts';

/**
 * Works with a CPU of the pool that nobody else on this machine measures on; null where the campaign asks for none. Measurements that
 * are compared with one another belong on one: two CPUs of a machine need not be alike.
 */
export async function onOneCpu<T>(
  pool: Campaign['evaluator']['cpus'],
  signal: AbortSignal,
  work: (cpu: number | null) => Promise<T>,
): Promise<T> {
  if (pool !== 'auto' && pool.length === 0) return work(null);
  const lease = await leaseCpu(pool, signal);
  try {
    return await work(lease.cpu);
  } finally {
    await lease.release();
  }
}

/**
 * What machines ask of a process that serves: numbers, and whether it can take work.
 *
 * - monitor.ts    both, of one process
 * - campaigns.ts  metrics of statuses; database.ts, of the rows of all machines
 * - text.ts       the text format of Prometheus
 */
export { createMonitor, type Monitor, type Readiness } from './monitor.ts';

/**
 * What a dead process left, put right when a campaign is opened.
 *
 * - `reconcile` database, Git and disk against one another; `refs` the commits of candidates, `sweep` files that nobody owns any more
 * - `left`      what coders had changed when they were cut off
 * - `requeue`   claims that are void go back to their queues
 * - `ledger`    the tally, read back from what is settled
 */
export { countCharged, readTally } from './ledger.ts';
export { keepLeft } from './left.ts';
export { reconcile } from './reconcile.ts';
export { requeueUnfinished } from './requeue.ts';

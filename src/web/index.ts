/**
 * How a running process answers: the loopback HTTP API, the start of the dashboard.
 *
 * - `server/app`       the application: `guard` checks Host, Origin and token, `routes/` has a file for each group of
 *                      addresses, `problem` is how errors are answered
 * - `server/server`    listens and publishes its address; `address` is the file that commands find it by
 * - `server/client`    the same API from another process; `follow`, events as they happen
 */
export { type Address, findAddress } from './server/address.ts';
export { createApp } from './server/app.ts';
export { httpApi } from './server/client.ts';
export { type Following, followEvents } from './server/follow.ts';
export { type RunningServer, startServer } from './server/server.ts';

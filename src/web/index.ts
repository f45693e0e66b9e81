/**
 * How a running process answers: the loopback HTTP API, the start of the dashboard.
 *
 * - `app`      routes, Host and Origin checks, the token for whatever writes
 * - `server`   listens and publishes its address; `address` is the file that commands find it by
 * - `client`   the same API from another process
 */
export { type Address, findAddress } from './address.ts';
export { createApp } from './app.ts';
export { httpApi } from './client.ts';
export { type RunningServer, startServer } from './server.ts';

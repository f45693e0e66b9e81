import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const HOME = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(HOME, path), 'utf8');

/** What the Dockerfile copies from this folder. */
const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
  names.split(' ').map((name) => name.replace(/^\.\//, '')),
);

it('copies into the image only what is there and not ignored', () => {
  const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
  expect(copied.filter((name) => !existsSync(join(HOME, name)))).toEqual([]);
  expect(copied.filter((name) => !allowed.includes(name))).toEqual([]);
});

it('has in the image what the package has: a pinned evaluator takes the ready ones with it', () => {
  const { files } = z.object({ files: z.array(z.string()) }).parse(JSON.parse(read('package.json')));
  const runs = files.filter((name) => name !== 'CHANGELOG.md' && name !== 'dist');
  expect(runs.filter((name) => !copied.includes(name))).toEqual([]);
});

it('gives daemon and workers of compose.yaml one database, one place of hubs and one label', () => {
  const service = z.object({ environment: z.record(z.string(), z.string()), command: z.array(z.string()) });
  const { services } = z
    .object({ services: z.object({ daemon: service, worker: service }) })
    .parse(parse(read('compose.yaml'), { merge: true }));
  expect(services.daemon.environment).toEqual(services.worker.environment);
  expect(Object.keys(services.worker.environment)).toEqual(['CLADE_DATABASE_URL', 'CLADE_HUB_URL', 'CLADE_LABEL']);
  expect([services.daemon.command[0], services.worker.command[0]]).toEqual(['daemon', 'worker']);
});

import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { fitAside, fitInWorker } from '../../../src/daemon/fit/index.ts';
import { InfrastructureError, InterruptedError } from '../../../src/errors.ts';
import { type FitRequest, generatorFor, runFit } from '../../../src/qd/index.ts';

function requestOf(rows: number, length: number, epoch = 1): FitRequest {
  const rng = generatorFor({ seed: 1, island: 0, ordinal: rows, purpose: 'fit' });
  const vectors = Array.from({ length: rows }, () => Float32Array.from({ length }, () => rng.unit() - 0.5));
  const settings = { dimensions: 3, clip: 3 };
  const previous = epoch === 1 ? null : runFit({ epoch: 1, vectors: vectors.slice(0, 20), settings, previous: null });
  return { epoch, vectors, settings, previous: previous?.projection ?? null };
}

const never = new AbortController().signal;

describe('a fit in a worker', () => {
  it.each([1, 2])('is the one of the main thread, in epoch %i', async (epoch) => {
    const request = requestOf(150, 120, epoch);
    expect(await fitInWorker(request, never)).toEqual(runFit(request));
  });

  it('is not needed for a small one, and gives the same', async () => {
    for (const request of [requestOf(12, 64), requestOf(200, 200)]) {
      expect(await fitAside(request, never)).toEqual(runFit(request));
    }
  });

  it('leaves the main thread free', async () => {
    let turns = 0;
    const ticking = setInterval(() => {
      turns++;
    }, 1);
    await fitInWorker(requestOf(1000, 400), never);
    clearInterval(ticking);
    // On the main thread not a single turn would come in between.
    expect(turns).toBeGreaterThan(3);
  });

  it('stops with the signal, before and during the fit', async () => {
    await expect(fitInWorker(requestOf(12, 8), AbortSignal.abort())).rejects.toThrow(InterruptedError);
    const controller = new AbortController();
    const running = fitInWorker(requestOf(2000, 800), controller.signal);
    setTimeout(() => controller.abort(), 50);
    await expect(running).rejects.toThrow(InterruptedError);
  });

  it('tells when the thread failed', async () => {
    const damaged = { ...requestOf(3, 8), vectors: [Float32Array.of(1, Number.NaN)] };
    await expect(fitInWorker(damaged, never)).rejects.toThrow(InfrastructureError);
    const uneven = { ...requestOf(3, 8), vectors: [new Float32Array(8), new Float32Array(9)] };
    await expect(fitInWorker(uneven, never)).rejects.toThrow(RangeError);
  });

  it('leaves the vectors with the caller, also those that are views into something larger', async () => {
    const request = requestOf(120, 30);
    const whole = new Float32Array(130 * 30);
    const views = request.vectors.map((vector, row) => {
      const view = whole.subarray(row * 30, (row + 1) * 30);
      view.set(vector);
      return view;
    });
    expect(await fitInWorker({ ...request, vectors: views }, never)).toEqual(runFit(request));
    expect(views).toEqual(request.vectors);
  });

  it('works from the built files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clade-fit-'));
    try {
      const root = resolve(import.meta.dirname, '../../..');
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
      const built = join(folder, 'dist');
      const config = {
        extends: join(root, 'tsconfig.build.json'),
        compilerOptions: { rootDir: join(root, 'src'), outDir: built, noCheck: true, declaration: false },
        include: [],
        files: ['index.ts', 'fit-worker.ts'].map((file) => join(root, 'src/daemon/fit', file)),
      };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      await writeFile(join(folder, 'package.json'), '{"type": "module"}');
      await execa(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { preferLocal: true, localDir: root });
      const module = pathToFileURL(join(built, 'daemon/fit/index.js')).href;
      const script = `
        const { fitInWorker } = await import(${JSON.stringify(module)});
        const vectors = [0, 1, 2, 3].map((i) => Float32Array.from([i, 1, i * i]));
        const request = { epoch: 1, vectors, settings: { dimensions: 2, clip: 3 }, previous: null };
        const { coordinates } = await fitInWorker(request, new AbortController().signal);
        console.log(coordinates.length);`;
      const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
      expect(stdout).toBe('4');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

import { below, between, choose, type Random } from './random.ts';
import type { Sink } from './sink.ts';

/** A field of a record: its bytes, from its own state. */
type Field = (next: Random, sink: Sink) => void;

/** Binary tables: rows of the same fields, such as counters, small steps, enumerations, identifiers. The seed chooses the fields. */
export function makeRecords(world: Random): (next: Random, sink: Sink) => void {
  const makers = [counter, clock, enumeration, identifier, padding, walk, real];
  const bigEndian = below(world, 3) === 0;
  const layout = Array.from({ length: between(world, 4, 11) }, () => {
    const make = choose(world, makers);
    const seed = world();
    return (next: Random) => make(next, seed, bigEndian);
  });
  return (next, sink) => {
    const fields = layout.map((make) => make(next));
    while (!sink.full) for (const field of fields) field(next, sink);
  };
}

function put(sink: Sink, value: number, width: number, bigEndian: boolean): void {
  for (let i = 0; i < width; i += 1) {
    sink.byte(Math.floor(value / 256 ** (bigEndian ? width - 1 - i : i)) & 255);
  }
}

function counter(next: Random, seed: number, bigEndian: boolean): Field {
  let value = below(next, 2 ** 20);
  return (_, sink) => put(sink, value++, seed % 2 === 0 ? 4 : 8, bigEndian);
}

function clock(next: Random, seed: number, bigEndian: boolean): Field {
  let value = 1.6e12 + below(next, 2 ** 31);
  const step = 1 + (seed % 5_000);
  return (draw, sink) => {
    value += below(draw, step);
    put(sink, value, 8, bigEndian);
  };
}

function enumeration(_: Random, seed: number): Field {
  const values = 2 + (seed % 30);
  // The smaller of two draws: some values are common, others rare.
  return (draw, sink) => sink.byte(Math.min(below(draw, values), below(draw, values)));
}

function identifier(_: Random, seed: number, bigEndian: boolean): Field {
  const bits = 6 + (seed % 27);
  return (draw, sink) => put(sink, below(draw, 2 ** bits), 4, bigEndian);
}

function padding(_: Random, seed: number): Field {
  const width = 1 + (seed % 12);
  return (_draw, sink) => {
    for (let i = 0; i < width; i += 1) sink.byte(0);
  };
}

function walk(next: Random, seed: number, bigEndian: boolean): Field {
  let value = 2 ** 15 + below(next, 2 ** 20);
  const stride = 3 + (seed % 400);
  return (draw, sink) => {
    value = Math.abs(value + below(draw, stride) - Math.floor(stride / 2));
    put(sink, value, 4, bigEndian);
  };
}

function real(next: Random, seed: number): Field {
  const bytes = Buffer.alloc(8);
  let value = below(next, 1_000);
  const decimals = 10 ** (1 + (seed % 4));
  return (draw, sink) => {
    value += (below(draw, 201) - 100) / decimals;
    bytes.writeDoubleLE(value);
    sink.bytes(bytes);
  };
}

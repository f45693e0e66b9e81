import { readFileSync } from 'node:fs';
import { solve } from './solver.js';

/** Reads one instance from standard input and writes the answer; the protocol, not the solver. */
const instance = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify({ items: solve(instance) }));

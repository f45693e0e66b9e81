/** Small programs whose likeness is known: one sort, its renamed copy, its rewrite, another sort, and something else. */
export const SAMPLES = {
  bubble: `
function bubbleSort(items) {
  const length = items.length;
  for (let i = 0; i < length - 1; i++) {
    let swapped = false;
    for (let j = 0; j < length - 1 - i; j++) {
      if (items[j] > items[j + 1]) {
        const held = items[j];
        items[j] = items[j + 1];
        items[j + 1] = held;
        swapped = true;
      }
    }
    if (!swapped) break;
  }
  return items;
}
`,
  renamed: `
function orderNumbers(values) {
  const total = values.length;
  for (let outer = 0; outer < total - 1; outer++) {
    let moved = false;
    for (let inner = 0; inner < total - 1 - outer; inner++) {
      if (values[inner] > values[inner + 1]) {
        const saved = values[inner];
        values[inner] = values[inner + 1];
        values[inner + 1] = saved;
        moved = true;
      }
    }
    if (!moved) break;
  }
  return values;
}
`,
  rewritten: `
function bubbleSort(items) {
  let end = items.length - 1;
  let swapped = true;
  while (swapped) {
    swapped = false;
    let j = 0;
    while (j < end) {
      if (items[j] > items[j + 1]) {
        [items[j], items[j + 1]] = [items[j + 1], items[j]];
        swapped = true;
      }
      j += 1;
    }
    end -= 1;
  }
  return items;
}
`,
  quicksort: `
function quickSort(numbers) {
  if (numbers.length <= 1) return numbers;
  const [pivot, ...rest] = numbers;
  const smaller = rest.filter((number) => number < pivot);
  const larger = rest.filter((number) => number >= pivot);
  return [...quickSort(smaller), pivot, ...quickSort(larger)];
}
`,
  server: `
import http from 'node:http';

const server = http.createServer(async (request, response) => {
  if (request.method !== 'GET') {
    response.writeHead(405, { 'content-type': 'text/plain' });
    response.end('method not allowed');
    return;
  }
  const body = JSON.stringify({ path: request.url, at: new Date().toISOString() });
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(body);
});

server.listen(process.env.PORT ?? '8080', () => console.log('listening'));
`,
} as const;

/** A program in every language, written so that every operator finds a site in it. */
export const SAMPLES: Readonly<Record<string, string>> = {
  'a.js': `import x from 'x';
export function f(n, list) {
  let total = 0.5;
  for (let i = 0; i < n; i++) {
    total += list[i] * 1.25;
    if (total > 100 && list.length === 3) {
      list.pop();
      total -= 0x1f;
    }
  }
  switch (n) {
    case 1:
      total = -2;
      break;
    default:
      total = x ?? 1e-7;
  }
  return list.includes(true) ? total : 10n;
}
`,
  'a.ts': `type Pair = readonly [number, 2];
export class Counter<T> {
  #count = 1;
  add(items: T[], by = 1.5): number {
    const before: number = this.#count;
    for (const item of items) {
      if (item === undefined || by <= 0) continue;
      this.#count += by;
      console.log(item as unknown, true);
    }
    while (this.#count > 1_000) this.#count >>>= 1;
    return this.#count - before;
  }
}
`,
  'a.tsx': `export const View = ({ size }: { size: number }) => {
  let width = size * 1.5;
  if (width < 10 || size === 3) {
    width = 10;
    window.resize(width, false);
  }
  width++;
  return <div className="a" style={{ width: width + 2 }}>{size > 1 ? 'b' : 'c'}</div>;
};
`,
  'a.py': `"""A module."""
import math

RATE = 0.95
SIZE = 1_000


def f(items, flag=True):
    best = None
    for index, item in enumerate(items):
        if item is None or index >= 10:
            continue
        elif item not in (1, -2):
            best = item ** 2 + 0x1F
        else:
            best //= 3
    while best < 1e3 and flag:
        best += RATE
        items.append(best)
    if flag:
        return math.sqrt(best)
    return best % SIZE
`,
  'a.c': `#include <stdint.h>
#define LIMIT 16
static int f(const uint8_t *p, size_t n) {
  int total = 0;
  bool on = true;
  double rate = 0.75f;
  for (size_t i = 0; i < n; i++) {
    total += p[i] << 2;
    if (total >= 0x1FUL && rate != 1.0) {
      total ^= LIMIT;
      continue;
    }
    rate *= 1.5e-3;
  }
#if LIMIT > 8
  total++;
  total -= -3;
#endif
  switch (total) {
    case 1: total = 2; break;
    default: total--;
  }
  return total & 255u;
}
`,
  'a.cpp': `#include <vector>
template <typename T> class Box {
 public:
  explicit Box(int n) : n_(n) {}
  T sum(const std::vector<T>& items) const {
    T total = 1'000;
    for (const auto& item : items) {
      if (item <= 0.5 || closed_ == true) continue;
      total += item * 2;
      log(total);
    }
    while (total > 10) total /= 2;
    return total;
  }
 private:
  int n_; bool closed_ = false;
};
`,
  'a.go': `package p

import "fmt"

func f(items []int, flag bool) (float64, error) {
	total := 0.5
	for i := 0; i < len(items); i++ {
		total += float64(items[i]) * 1.25
		if total >= 0x1F && flag != true {
			items = append(items, -1)
			continue
		}
	}
	switch len(items) {
	case 1:
		total--
		total = 2e3
	default:
		fmt.Println(total)
	}
	defer fmt.Println("done")
	return total, nil
}
`,
  'a.rs': `use std::fmt;

pub fn f(items: &mut Vec<i64>, flag: bool) -> f64 {
    let mut total = 0.5f64;
    for i in 0..items.len() {
        total += items[i] as f64 * 1.25;
        if total > 1e3 && flag != true {
            items[i] <<= 2;
            continue;
        }
        total -= -3.0;
    }
    while total >= 100_000.0 {
        total /= 2.0;
        println!("{}", total);
    }
    match items.len() {
        1 => items.push(0x1F_i64),
        _ => {}
    }
    total + 7u8 as f64
}
`,
  'A.java': `package p;

public class A {
  private static final double RATE = 0.95;
  public static long f(int[] items, boolean flag) {
    long total = 1_000L;
    for (int i = 0; i < items.length; i++) {
      total += items[i] * 2;
      if (total >= 0x1FL && flag != true) {
        total >>>= 1;
        continue;
      }
    }
    for (int item : items) {
      total -= item;
      System.out.println(item * 1.5f);
    }
    switch (items.length) {
      case 1: total = -2; break;
      default: total--;
    }
    return total;
  }
}
`,
};

/** Without a grammar. */
export const LINE_SAMPLE = `# settings
rate: 0.95
items:
  - name: one
    size: 10
    open: true
  - name: two
    size: 1e3
`;

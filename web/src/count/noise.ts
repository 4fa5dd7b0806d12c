/** Counting of Laplace reports: sums of noisy scores. */
import type { Mechanism } from '../mechanisms/mechanism.js';
import { type Counter, float, number, range } from './counter.js';
import { unitsOf } from '../mechanisms/laplace.js';

export function countLaplace({ d, rule }: Mechanism): Counter {
  const units = unitsOf(rule);
  const sums = range(d).map(() => 0n);
  return {
    add(report) {
      for (let j = 0; j < d; j++) sums[j]! += BigInt(report[`score_${j}`] as number);
    },
    counts: () => ({
      sums: { shape: [d], values: sums.map((x) => (Number.isSafeInteger(Number(x)) ? Number(x) : String(x))) },
    }),
    scores: (n) => sums.map((x) => float(number(2n * x + BigInt(n), 2n * BigInt(n) * units))),
  };
}

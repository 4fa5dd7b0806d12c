/** How many of all groups of a question pass: exactly, by a count of ranks taken one after the other. */
import type { Fraction } from '../exact.js';
import type { Question } from '../mechanisms/questions.js';
import { range } from './counter.js';

/** The share of the groups that reach the threshold, over all ways to draw them.
 *
 * The coefficient of y^a z^b in ∏ (1 + y q^(gain λ) + z q^(-loss λ)) has the law of the statistic.
 */
export function passingShare(question: Question, d: number): Fraction {
  const { sizes, marks, weights, threshold } = onOneSide(question, d);
  const [a, b] = sizes as [number, number];
  const [gain, loss] = marks as [number, number];
  // ways[i][k]: by value of the statistic, how many have i ranks in the first group, k in the other
  let ways = range((a + 1) * (b + 1)).map(() => new Map<number, bigint>());
  ways[0]!.set(0, 1n);
  for (let r = 0; r < d; r++) {
    const weight = weights[r]!;
    const next = ways.map((values) => new Map(values));
    for (let i = 0; i <= a; i++) {
      for (let k = 0; k <= b; k++) {
        for (const [value, often] of ways[i * (b + 1) + k]!) {
          if (i < a) add(next[(i + 1) * (b + 1) + k]!, value + gain * weight, often);
          if (k < b) add(next[i * (b + 1) + k + 1]!, value + loss * weight, often);
        }
      }
    }
    ways = next;
  }
  let up = 0n;
  let down = 0n;
  for (const [value, often] of ways.at(-1)!) {
    down += often;
    if (value >= threshold) up += often;
  }
  return { up, down };
}

/** Where two groups take in all ranks, the smaller one tells everything. */
function onOneSide(question: Question, d: number): Question {
  const { sizes, marks, weights, threshold } = question;
  const [few, g] = Math.min(...sizes) === sizes[0] ? [sizes[0], 0] : [sizes[1]!, 1];
  if (sizes[0]! + sizes[1]! < d) return question;
  const [own, others] = [marks[g]!, marks[1 - g]!];
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return { ...question, sizes: [few, 0], marks: [own - others, 0], threshold: threshold - others * all };
}

function add(values: Map<number, bigint>, value: number, often: bigint): void {
  values.set(value, (values.get(value) ?? 0n) + often);
}

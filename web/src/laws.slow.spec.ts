/** What is drawn follows the exact law that the Python package states: chi-square tests, each with a
 * false alarm of less than 1e-6, on secure bits.
 */
import { expect, test } from 'vitest';
import { secureBits } from './bits.js';
import { canonical, type Json } from './canonical.js';
import { kinds } from './index.js';
import { readMechanism } from './parameters.js';
import { vectors } from './testing/vectors.js';

interface Law {
  name: string;
  parameters: Json;
  ranking: number[];
  outcomes?: { report: Json; chance: string }[];
  scores?: { from: number; to: number; chance: string }[][];
}

const { laws } = vectors('laws.json') as { laws: Law[] };

/** A fraction of long numbers as a float. */
function float(text: string): number {
  const [up, down] = text.split('/').map(BigInt) as [bigint, bigint?];
  return Number((up << 64n) / (down ?? 1n)) / 2 ** 64;
}

/** That these numbers of draws are not too far from what is expected. */
function expectLaw(found: number[], chances: number[]): void {
  const n = found.reduce((a, b) => a + b);
  const distance = found.reduce((all, x, i) => all + (x - n * chances[i]!) ** 2 / (n * chances[i]!), 0);
  const f = found.length - 1;
  const z = 4.76; // beyond which a normal variable lies with a chance below 1e-6
  const limit = f * (1 - 2 / (9 * f) + z * Math.sqrt(2 / (9 * f))) ** 3; // Wilson and Hilferty 1931
  expect(chances.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  expect(distance).toBeLessThan(limit);
}

test.each(laws.filter((law) => law.outcomes))('$name', ({ parameters, ranking, outcomes }) => {
  const made = readMechanism(parameters, kinds);
  const bits = secureBits();
  const place = new Map(outcomes!.map(({ report }, i) => [canonical(report), i]));
  const found = outcomes!.map(() => 0);
  for (let i = 0; i < 200_000; i++) found[place.get(canonical(made.draw(ranking, bits)))!]!++;
  expectLaw(found, outcomes!.map(({ chance }) => float(chance)));
});

test.each(laws.filter((law) => law.scores))('$name', ({ parameters, ranking, scores }) => {
  const made = readMechanism(parameters, kinds);
  const bits = secureBits();
  const found = scores!.map((bins) => bins.map(() => 0));
  for (let i = 0; i < 20_000; i++) {
    const report = made.draw(ranking, bits);
    for (const [j, bins] of scores!.entries()) {
      const score = report[`score_${j}`] as number;
      found[j]![bins.findIndex(({ from, to }) => from <= score && score <= to)]!++;
    }
  }
  for (const [j, bins] of scores!.entries()) expectLaw(found[j]!, bins.map(({ chance }) => float(chance)));
});

/** Privacy follows from the odds alone: whatever else a hostile poll says, no report is more than
 * A/B times likelier under one ranking than under another. All rankings, all reports, exactly.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { Json, JsonObject } from './canonical.js';
import { gcd } from './exact.js';
import type { Report } from './fields.js';
import { kinds } from './index.js';
import type { Mechanism } from './mechanisms/mechanism.js';
import { readMechanism } from './parameters.js';
import { lawOf, rankings } from './testing/laws.js';

vi.mock('./lottery.js', async () => (await import('./testing/laws.js')).lottery);

/** Whole numbers that depend on nothing but the seed. */
function dice(seed: string): (limit: number) => number {
  let i = 0;
  return (limit) => createHash('sha256').update(`${seed}/${i++}`).digest().readUInt32BE() % limit;
}

/** The largest factor between two rankings, over all reports, as [up, down]. */
function largestFactor(made: Mechanism): [bigint, bigint] {
  const question = made.needsQuestion ? new Uint8Array(32) : undefined;
  const laws = rankings(made.d).map((ranking) => lawOf((bits) => made.draw(ranking, bits, question)));
  const common = laws.reduce((all, { total }) => all * (total / gcd(all, total)), 1n);
  const chances = laws.map(({ law, total }) => new Map([...law].map(([key, x]) => [key, x * (common / total)])));
  let worst: [bigint, bigint] = [1n, 1n];
  for (const key of new Set(chances.flatMap((law) => [...law.keys()]))) {
    const each = chances.map((law) => law.get(key) ?? 0n);
    const most = each.reduce((a, b) => (a > b ? a : b));
    const least = each.reduce((a, b) => (a < b ? a : b));
    if (most * worst[1] > worst[0] * least) worst = [most, least];
  }
  return worst;
}

/** Odds of small numbers, so that every way can be followed; with an epsilon that just covers them. */
const ODDS: [number, number, string][] = [
  [8, 4, '7/10'],
  [5, 2, '1'],
  [9, 4, '9/10'],
  [4, 1, '7/5'],
];

function rule(d: number, roll: (limit: number) => number): JsonObject {
  const scores = Array.from({ length: d }, () => roll(6)).sort((a, b) => b - a);
  scores[0]! += 1;
  return { name: 'hostile', scores: scores.map(String) };
}

function question(d: number, roll: (limit: number) => number, finer: boolean): JsonObject {
  const plus = 1 + roll(d - 1);
  const minus = 1 + roll(d - plus);
  const left = d - plus - minus;
  const best = roll(left + 1);
  const gain = 1 + roll(5);
  const loss = 1 + roll(5);
  const more = finer ? { best, worst: roll(left - best + 1), high: gain + 1 + roll(9), low: loss + 1 + roll(9) } : {};
  const weights = Array.from({ length: d }, () => roll(7)); // in no order: that is no matter of privacy
  return { plus, minus, gain, loss, ...more, weights, threshold: roll(40) - 20, step: 1 + roll(999) };
}

function questions(d: number, roll: (limit: number) => number, finer: boolean): Json[] {
  const number = 1 + roll(3);
  const share = Math.floor(2 ** 32 / number);
  return Array.from({ length: number }, (_, t) => ({
    ...question(d, roll, finer && roll(2) === 1),
    share: t ? share : 2 ** 32 - share * (number - 1),
  }));
}

const HOSTILE: Record<string, (d: number, roll: (limit: number) => number) => JsonObject> = {
  additive: (d, roll) => ({ k: 1 + roll(d - 1) }),
  'weighted-sampling': (_, roll) => ({ intercept: String(roll(20) - 7) }),
  'naive-sampling': () => ({}),
  duel: (d, roll) => ({ questions: questions(d, roll, true) }),
  challenge: (d, roll) => ({ key: '', questions: questions(d, roll, false) }),
};

describe.each(Object.keys(HOSTILE))('%s', (name) => {
  test.each(ODDS)('keeps odds of %i/%i', (up, down, epsilon) => {
    let reached = false;
    for (let i = 0; i < 12; i++) {
      const roll = dice(`${name}/${up}/${i}`);
      const d = i < 10 || name.endsWith('sampling') ? 3 : 4;
      const given = { mechanism: name, rule: rule(d, roll), epsilon, odds: [up, down], ...HOSTILE[name]!(d, roll) };
      const [most, least] = largestFactor(readMechanism(given, kinds));
      expect(most * BigInt(down)).toBeLessThanOrEqual(least * BigInt(up));
      reached ||= most > least;
    }
    expect(reached).toBe(true); // reports do say something
  });
});

describe.each(Object.keys(HOSTILE))('%s', (name) => {
  test('weighs rankings as its law does', () => {
    let differ = false;
    for (let i = 0; i < 12; i++) {
      const roll = dice(`${name}/weight/${i}`);
      const d = i < 10 || name.endsWith('sampling') ? 3 : 4;
      const given = { mechanism: name, rule: rule(d, roll), epsilon: '1', odds: [5, 2], ...HOSTILE[name]!(d, roll) };
      const made = readMechanism(given, kinds);
      const found = rankings(d).map((ranking) => ({ ranking, ...lawOf((bits) => made.draw(ranking, bits)) }));
      const [first] = found as [(typeof found)[0]];
      for (const [key, chance] of first.law) {
        const report = JSON.parse(key) as Report;
        const weight = made.weight!(report, first.ranking);
        for (const { ranking, law, total } of found) {
          const other = made.weight!(report, ranking);
          expect(weight * law.get(key)! * first.total).toBe(other * chance * total);
          differ ||= weight !== other;
        }
      }
    }
    expect(differ).toBe(true);
  });
});

test('the check would see a broken draw', () => {
  const given = { mechanism: 'additive', rule: { name: 'x', scores: ['1', '0', '0'] }, epsilon: '7/10', odds: [8, 4], k: 1 };
  const made = readMechanism(given, kinds);
  const broken = { ...made, draw: (ranking: readonly number[]) => ({ chosen: [ranking[0]!] }) };
  expect(largestFactor(broken)[1]).toBe(0n);
});

/** Who else could have sent a report: different ballots, each with the chance that its law gives. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../canonical.js';
import type { Report } from '../../fields.js';
import { openPoll } from '../../index.js';
import type { Mechanism } from '../../mechanisms/mechanism.js';
import { ADDITIVE, manifest } from '../../testing/polls.js';
import { couldHaveSent } from './sameness.js';

const THREE: JsonObject = { ...ADDITIVE, rule: { name: 'borda', scores: ['2', '1', '0'] }, k: 1 };

test('ten different ballots are shown, and the bars are what the law says of them', () => {
  const poll = openPoll(...manifest());
  const report = { chosen: [0, 1] };
  const ballots = couldHaveSent(poll, report)!;
  expect(new Set(ballots.map(({ ranking }) => String(ranking))).size).toBe(10);
  const { odds } = poll.mechanism;
  const most = Math.max(...ballots.map(({ ranking }) => Number(poll.mechanism.weight!(report, ranking))));
  for (const { ranking, share, hundredths } of ballots) {
    const weight = Number(poll.mechanism.weight!(report, ranking));
    expect(share).toBeCloseTo(weight / most, 6);
    expect(hundredths).toBeGreaterThanOrEqual((100 * most) / weight - 1e-6);
    expect(hundredths).toBeLessThanOrEqual(Math.ceil((100 * Number(odds.up)) / Number(odds.down)));
    expect(hundredths === 100).toBe(weight === most);
  }
});

test('the first ballot shown is one that no other is likelier than', () => {
  const poll = openPoll(...manifest());
  const weight = (report: Report, ranking: readonly number[]): bigint => poll.mechanism.weight!(report, ranking);
  for (const chosen of [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]) {
    const [first] = couldHaveSent(poll, { chosen })!;
    const most = orders([0, 1, 2, 3]).map((ranking) => weight({ chosen }, ranking)).reduce((a, b) => (a > b ? a : b));
    expect(weight({ chosen }, first!.ranking)).toBe(most);
    expect(first!.hundredths).toBe(100);
  }
});

function orders(names: readonly number[]): number[][] {
  return names.length < 2 ? [[...names]]
    : names.flatMap((one) => orders(names.filter((other) => other !== one)).map((rest) => [one, ...rest]));
}

test('of three candidates all six ballots are shown, and the likeliest put the named one first', () => {
  const poll = openPoll(...manifest(THREE));
  const ballots = couldHaveSent(poll, { chosen: [2] })!;
  expect(new Set(ballots.map(({ ranking }) => String(ranking))).size).toBe(6);
  const likeliest = ballots.filter(({ hundredths }) => hundredths === 100);
  expect(likeliest.map(({ ranking }) => ranking[0])).toEqual([2, 2]);
  const least = ballots.filter(({ ranking }) => ranking[2] === 2);
  expect(least.map(({ hundredths }) => hundredths)).toEqual([272, 272]); // e, rounded up
});

test('a mechanism that cannot easily say how likely ballots are shows none', () => {
  const poll = openPoll(...manifest());
  const others = Object.entries(poll.mechanism).filter(([name]) => name !== 'weight');
  const mechanism = Object.fromEntries(others) as unknown as Mechanism;
  expect(couldHaveSent({ ...poll, mechanism }, { chosen: [0, 1] })).toBeNull();
});

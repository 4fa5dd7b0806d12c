/** Counting of additive and of both samplings: sets of candidates. */
import { absolute, common, type Fraction, fraction, squareRoot, sum } from '../exact.js';
import type { Mechanism } from '../mechanisms/mechanism.js';
import { type Counter, counted, float, minus, number, over, Pairs, plus, range, times } from './counter.js';

/** View a [named] - b, with a and b from E - 1, E wmin - wmax and (d - 1)/((d - k)(E - 1)). */
export function countAdditive({ d, odds, rule, given }: Mechanism): Counter {
  const k = given.k as number;
  const total = (scores: readonly bigint[]): Fraction => number(sum(scores), rule.scale);
  const rise = minus(odds, number(1));
  const least = times(odds, total(rule.whole.slice(d - k)));
  const drop = minus(least, total(rule.whole.slice(0, k)));
  const factor = over(number(d - 1, d - k), rise);
  const all = times(total(rule.whole), rise);
  const lift = float(times(minus(all, times(number(d, k), drop)), factor));
  const base = float(times(minus(times(number(k - 1, d - 1), all), drop), factor));
  const pairs = new Pairs(d);
  return {
    add: (report) => {
      pairs.add(report.chosen as number[]);
    },
    counts: () => ({ pairs: counted([d, d], pairs.values) }),
    scores: (n) => range(d).map((j) => (lift * pairs.alone(j)) / n - base),
  };
}

/** View g s/(s - 1) + c of a marked candidate, c - g/(s - 1) of another, with s the root of the odds
 * and g = ±Σ|w - c|, above 0 in the class of marks that count for a candidate.
 */
export function countSampling({ d, odds, rule, given, fields }: Mechanism): Counter {
  const intercept = given.intercept === undefined ? number(0) : fraction(given.intercept);
  const { whole, scale } = common([intercept, ...rule.scores]);
  const [centre, ...scores] = whole as [bigint, ...bigint[]];
  const size = number(sum(scores.map((w) => absolute(w - centre))), scale);
  const s = number(squareRoot(odds.up * odds.down), odds.down);
  const marks = fields.at(-1)!.name;
  const m = fields.length;
  const gains = m > 1 ? [1n, -1n] : [marks === 'marked' ? 1n : -1n];
  const views = gains.map((sign) => {
    const step = over(times(number(sign), size), minus(s, number(1)));
    return { marked: float(plus(times(step, s), intercept)), other: float(minus(intercept, step)) };
  });
  const classes = new Float64Array(m);
  const pairs = new Pairs(d, m);
  return {
    add(report) {
      const kind = m > 1 ? (report.class as number) : 0;
      classes[kind]! += 1;
      pairs.add(report[marks] as number[], kind);
    },
    counts: () => ({ classes: counted([m], classes), pairs: counted([m, d, d], pairs.values) }),
    scores: (n) =>
      range(d).map((j) =>
        views.reduce((all, { marked, other }, kind) => {
          const alone = pairs.alone(j, kind);
          return all + (marked * alone + other * (classes[kind]! - alone)) / n;
        }, 0),
      ),
  };
}

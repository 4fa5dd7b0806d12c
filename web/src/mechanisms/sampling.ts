/** Weighted and naive sampling: one rank is sampled, the candidate there sent as noisy bits. */
import { absolute, common, type Fraction, fraction, gcd, squareRoot, sum } from '../exact.js';
import { setField, typeField } from '../fields.js';
import { below, pick } from '../lottery.js';
import { check } from '../refusal.js';
import { type Base, type Kind, type Mechanism, named } from './mechanism.js';

export const weightedSampling: Kind = {
  name: 'weighted-sampling',
  members: ['intercept'],
  read: (base) => sampling(base, fraction(base.given.intercept)),
};

export const naiveSampling: Kind = {
  name: 'naive-sampling',
  members: [],
  read(base) {
    check((base.rule.whole.at(-1) as bigint) >= 0n, 'parameters.option', 'a score below 0');
    return sampling(base, { up: 0n, down: 1n });
  },
};

/** Each rank is drawn as often as its score is far from the intercept c; its candidate's mark counts
 * for it above c and against it below.
 */
function sampling(base: Base, intercept: Fraction): Mechanism {
  const { d, odds } = base;
  const [centre, ...scores] = common([intercept, ...base.rule.scores]).whole as [bigint, ...bigint[]];
  const masses = smallest(scores.map((w) => absolute(w - centre)));
  const isFor = scores.some((w) => w > centre);
  const isAgainst = scores.some((w) => w < centre);
  const marks = isFor ? 'marked' : 'against';
  const classes = isFor && isAgainst ? [typeField('class', 2)] : [];
  const root = squareRoot(odds.up * odds.down);
  check(root > odds.down, 'parameters.odds', 'their root says nothing');

  return {
    ...base,
    fields: [...classes, setField(marks, d)],
    needsQuestion: false,

    draw(ranking, bits) {
      const rank = pick(masses, bits);
      const marked: number[] = [];
      for (let j = 0; j < d; j++) {
        const flipped = below(root + odds.down, bits) < odds.down;
        if ((ranking[rank] === j) !== flipped) marked.push(j);
      }
      const kind = (scores[rank] as bigint) > centre ? 0 : 1;
      return classes.length ? { class: kind, [marks]: marked } : { [marks]: marked };
    },

    weight(report, ranking) {
      const marked = report[marks] as number[];
      // Of d marks so many are right, if the sampled candidate is marked, or is not.
      const way = (right: number) =>
        right < 0 || right > d ? 0n : root ** BigInt(right) * odds.down ** BigInt(d - right);
      const seen = way(d - marked.length + 1);
      const missed = way(d - marked.length - 1);
      const weights = masses.map((mass, r) => {
        const kind = (scores[r] as bigint) > centre ? 0 : 1;
        if (classes.length && kind !== report.class) return 0n;
        return mass * (marked.includes(ranking[r] as number) ? seen : missed);
      });
      return sum(weights);
    },

    words(report, candidates, say) {
      const names = named(candidates, report[marks]);
      const way = isFor && report.class !== 1 ? 'for' : 'against';
      return names.length
        ? say(`report.marks.${way}`, { names: names.join(say('list.comma')) })
        : say(`report.nobody.${way}`);
    },
  };
}

/** Whole numbers in the same proportions, as small as they can be. */
function smallest(numbers: readonly bigint[]): bigint[] {
  const factor = numbers.reduce(gcd);
  return numbers.map((x) => x / factor);
}

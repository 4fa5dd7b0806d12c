/** Additive: names k candidates, a set the likelier the more its members score together. */
import { sum, wholeWithin } from '../exact.js';
import { rising, setField } from '../fields.js';
import { below, distinct } from '../lottery.js';
import { check } from '../refusal.js';
import { type Kind, named } from './mechanism.js';

export const additive: Kind = {
  name: 'additive',
  members: ['k'],

  read(base) {
    const { d, odds, given } = base;
    const k = wholeWithin(given.k, 1, d - 1);
    check(k !== undefined, 'parameters.option', 'k');
    const scores = base.rule.whole;
    const least = sum(scores.slice(d - k));
    const most = sum(scores.slice(0, k));

    return {
      ...base,
      fields: [setField('chosen', d, [k])],
      needsQuestion: false,

      draw(ranking, bits) {
        for (;;) {
          const ranks = distinct(d, k, bits);
          const excess = sum(ranks.map((r) => scores[r] as bigint)) - least;
          const heads = below(most - least, bits) < excess;
          const second = below(odds.up, bits) < odds.down;
          if (heads || second) return { chosen: rising(ranks.map((r) => ranking[r] as number)) };
        }
      },

      weight(report, ranking) {
        const ranks = (report.chosen as number[]).map((j) => ranking.indexOf(j));
        const excess = sum(ranks.map((r) => scores[r] as bigint)) - least;
        return excess * odds.up + (most - least - excess) * odds.down; // heads, or else the second
      },

      words(report, candidates, say) {
        const names = named(candidates, report.chosen);
        const last = names.at(-1) as string;
        const most = names.slice(0, -1).join(say('list.comma'));
        return say('report.named', { names: most ? say('list.and', { most, last }) : last });
      },
    };
  },
};

/** Duel: "these candidates over those", groups that the voter's ranking is likely to set apart. */
import { below, distinct, pick } from '../lottery.js';
import type { Kind } from './mechanism.js';
import {
  groupFields,
  groupReport,
  isPassed,
  parted,
  passes,
  type Question,
  readQuestions,
  sides,
} from './questions.js';

export const duel: Kind = {
  name: 'duel',
  members: ['questions'],

  read(base) {
    const { d, odds, given } = base;
    const questions = readQuestions(given.questions, d, true);
    const shares = questions.map(({ share }) => share);

    return {
      ...base,
      fields: groupFields(questions, d),
      needsQuestion: false,

      // --8<-- [start:draw]
      draw(ranking, bits) {
        const type = pick(shares, bits);
        const question = questions[type] as Question;
        const size = question.sizes.reduce((a, b) => a + b);
        for (;;) {
          const groups = parted(distinct(d, size, bits), question);
          const coin = below(odds.up, bits) < odds.down;
          if (passes(groups, question) || coin) {
            const chosen = groups.map((ranks) => ranks.map((r) => ranking[r] as number));
            return groupReport(questions, type, chosen);
          }
        }
      },
      // --8<-- [end:draw]

      weight: (report, ranking) => (isPassed(report, questions, ranking) ? odds.up : odds.down),

      words: (report, candidates, say) => say('report.over', { ...sides(report, candidates, say) }),
    };
  },
};

/** Challenge: one noisy bit on a question that the voter could not choose. */
import { hexToBytes } from '@noble/hashes/utils.js';
import { keyedBits } from '../bits.js';
import { numberField } from '../fields.js';
import { below, distinct, pick } from '../lottery.js';
import { check } from '../refusal.js';
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

export const challenge: Kind = {
  name: 'challenge',
  members: ['key', 'questions'],

  read(base) {
    const { d, odds, given } = base;
    const hex = given.key;
    check(typeof hex === 'string' && /^(?:[0-9a-f]{2})*$/.test(hex), 'parameters.option', 'key');
    const key = hexToBytes(hex);
    const questions = readQuestions(given.questions, d, false);
    const shares = questions.map(({ share }) => share);

    return {
      ...base,
      fields: [...groupFields(questions, d), numberField('answer', 0, 1)],
      needsQuestion: key.length > 0,

      draw(ranking, bits, hash) {
        const asked = hash ? keyedBits(key, hash) : bits;
        const type = pick(shares, asked);
        const question = questions[type] as Question;
        const size = question.sizes.reduce((a, b) => a + b);
        const groups = parted(distinct(d, size, asked), question);
        const isTrue = below(odds.up + odds.down, bits) < odds.up;
        const ranks = groups.map((group) => group.map((j) => ranking.indexOf(j)));
        const answer = Number(passes(ranks, question) === isTrue);
        return { ...groupReport(questions, type, groups), answer };
      },

      weight: (report, ranking) =>
        isPassed(report, questions, ranking) === (report.answer === 1) ? odds.up : odds.down,

      words(report, candidates, say) {
        return say(report.answer === 1 ? 'report.yes' : 'report.no', { ...sides(report, candidates, say) });
      },
    };
  },
};

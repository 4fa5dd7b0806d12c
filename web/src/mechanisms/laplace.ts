/** Laplace: every score with discrete Laplace noise, drawn by binary digits. */
import type { Bits } from '../bits.js';
import { absolute, type Fraction, whole } from '../exact.js';
import { numberField, type Report } from '../fields.js';
import { below } from '../lottery.js';
import { check } from '../refusal.js';
import type { Rule } from '../rule.js';
import type { Kind } from './mechanism.js';

const WORD = 1n << 64n;
const RESOLUTION = 1n << 20n; // units in the largest distance of two scored votes, at least
const CUT = 64n; // noise scales beyond the scores
const LARGEST_SCORE = 1n << 47n;
const MOST_DIGITS = 56;
const MOST_WORDS = 128n;

export const laplace: Kind = {
  name: 'laplace',
  members: ['digits'],

  read(base) {
    const { d, epsilon, given } = base;
    const { whole: scores, scale } = base.rule;
    const units = unitsOf(base.rule);
    const scaled = scores.map((w) => units * w);
    const floors = scaled.map((x) => floor(x, scale));
    const dithers = scaled.map((x, r) => rounded(WORD * (x - (floors[r] as bigint) * scale), scale));
    const dithered = (word: bigint) =>
      floors.map((x, r) => x + (word < (dithers[r] as bigint) ? 1n : 0n));
    const turns = [0n, ...dithers.filter((f) => f < WORD)];
    const distance = turns.map((word) => spread(dithered(word))).reduce((a, b) => (a > b ? a : b));
    const cut = (CUT * distance * epsilon.down) / epsilon.up;
    const last = floors[d - 1] as bigint;
    const low = last - cut;
    const high = (floors[0] as bigint) + 1n + cut;
    check(-low <= LARGEST_SCORE && high <= LARGEST_SCORE, 'parameters.option', 'scores too large');

    const digits = readDigits(given.digits);
    check(keepsSteps(digits, epsilon, distance), 'parameters.odds', 'digits');
    const coins = digits.slice(0, -1);
    const tails = ceiling(high - last, 1n << BigInt(coins.length));
    check(BigInt(coins.length) + tails <= MOST_WORDS, 'parameters.cost', 'words');

    const highs = Uint32Array.from(digits, (coin) => Number(coin >> 32n));
    const lows = Uint32Array.from(digits, (coin) => Number(coin & 0xffffffffn));
    const words = coins.length + Number(tails);
    const noise = (bits: Bits): number => {
      const { buffer, byteOffset } = bits.bytes(8 * words);
      const drawn = new DataView(buffer, byteOffset);
      const isLess = (word: number, digit: number): boolean => {
        const high = drawn.getUint32(8 * word);
        return high < highs[digit]! || (high === highs[digit] && drawn.getUint32(8 * word + 4) < lows[digit]!);
      };
      let size = 0; // exact up to 2^53, and cut off long before
      for (let i = 0; i < coins.length; i++) if (isLess(i, i)) size += 2 ** i;
      let counts = true;
      for (let i = coins.length; i < words; i++) {
        counts = isLess(i, coins.length) && counts;
        if (counts) size += 2 ** coins.length;
      }
      return below(2n, bits) === 0n ? size : -1 - size;
    };

    return {
      ...base,
      fields: Array.from({ length: d }, (_, j) => numberField(`score_${j}`, Number(low), Number(high))),
      needsQuestion: false,

      draw(ranking, bits) {
        const vote = dithered(below(WORD, bits));
        const report: Report = {};
        for (let j = 0; j < d; j++) {
          const noisy = Number(vote[ranking.indexOf(j)]!) + noise(bits);
          report[`score_${j}`] = Math.min(Math.max(noisy, Number(low)), Number(high));
        }
        return report;
      },

      words(report, candidates, say) {
        const scores = candidates.map((name, j) => {
          const score = ((report[`score_${j}`] as number) + 0.5) / Number(units);
          return say('report.score', { name, score });
        });
        return say('report.scores', { scores: scores.join(say('list.comma')) });
      },
    };
  },
};

/** Units that a point is counted in. */
export function unitsOf({ whole, scale }: Rule): bigint {
  return ceiling(RESOLUTION * scale, spread(whole));
}

function readDigits(given: unknown): bigint[] {
  const digits = Array.isArray(given) ? given.map(whole) : [];
  const fit = digits.every((digit) => digit !== undefined && digit > 0n && digit < WORD);
  check(fit && digits.length >= 2 && digits.length <= MOST_DIGITS, 'parameters.option', 'digits');
  return digits as bigint[];
}

/** Whether neighbouring noise values differ in chance by at most the factor 1 + epsilon/distance.
 * From k to k + 1 the lowest zero digit becomes 1 and the ones below it 0: the factor is
 * o_i / (o_0 ... o_(i-1)), with o_i the odds of digit i, or of a further tail.
 */
function keepsSteps(digits: readonly bigint[], epsilon: Fraction, distance: bigint): boolean {
  const limit = { up: epsilon.down * distance + epsilon.up, down: epsilon.down * distance };
  const last = digits.length - 1;
  let up = 1n;
  let down = 1n;
  return digits.every((coin, i) => {
    const rest = i === last ? WORD : WORD - coin;
    const [one, other] = [up * rest, down * coin]; // the product of the odds below, over these
    up *= coin;
    down *= rest;
    return one * limit.down <= other * limit.up && other * limit.down <= one * limit.up;
  });
}

/** The L1 distance of a vote and its reverse. */
function spread(scores: readonly bigint[]): bigint {
  return scores.reduce((all, w, j) => all + absolute(w - (scores[scores.length - 1 - j] as bigint)), 0n);
}

function floor(up: bigint, down: bigint): bigint {
  return up >= 0n ? up / down : -ceiling(-up, down);
}

/** Of numbers of at least 0. */
function ceiling(up: bigint, down: bigint): bigint {
  return (up + down - 1n) / down;
}

/** To the nearest, halves to even; of numbers of at least 0. */
function rounded(up: bigint, down: bigint): bigint {
  const below = up / down;
  const twice = 2n * (up - below * down);
  return twice > down || (twice === down && below % 2n === 1n) ? below + 1n : below;
}

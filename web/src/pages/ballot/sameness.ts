/** Who else could have sent a report: some ballots drawn at random, and how likely each is to send it. */
import { type Bits, secureBits } from '../../bits.js';
import type { Report } from '../../fields.js';
import { distinct } from '../../lottery.js';
import type { Poll } from '../../poll.js';

export interface Ballot {
  readonly ranking: readonly number[];
  /** How likely it is to send the report, against the likeliest of those shown: above 0, at most 1. */
  readonly share: number;
  /** How many times less likely that is, in hundredths, rounded up. */
  readonly hundredths: number;
}

const SHOWN = 10;

/** Different rankings, each equally likely to be among them; of few candidates all that there are. Null
 * where the mechanism cannot easily say how likely they are.
 */
export function couldHaveSent(poll: Poll, report: Report, bits: Bits = secureBits()): Ballot[] | null {
  const { candidates, mechanism } = poll;
  if (!mechanism.weight) return null;
  const d = candidates.length;
  const number = d < 4 ? [1, 1, 2, 6][d]! : SHOWN;
  const found = new Map<string, number[]>();
  while (found.size < number) {
    const ranking = distinct(d, d, bits);
    found.set(String(ranking), ranking);
  }
  const rankings = [...found.values()];
  const weights = rankings.map((ranking) => mechanism.weight!(report, ranking));
  const most = weights.reduce((a, b) => (a > b ? a : b));
  return rankings.map((ranking, i) => ({
    ranking,
    share: Number((weights[i]! << 32n) / most) / 2 ** 32,
    hundredths: Number((100n * most + weights[i]! - 1n) / weights[i]!),
  }));
}

/** Who else could have sent a report: one of the likeliest ballots and some at random, and how likely each is to send it. */
import { type Bits, secureBits } from '../../bits.js';
import type { Report } from '../../fields.js';
import { distinct } from '../../lottery.js';
import type { Poll } from '../../poll.js';

export interface Ballot {
  readonly ranking: readonly number[];
  /** How likely it is to send the report, against the likeliest that there is: above 0, at most 1. */
  readonly share: number;
  /** How many times less likely that is, in hundredths, rounded up. */
  readonly hundredths: number;
}

const SHOWN = 10;
const WELL = ['best', 'plus', 'chosen', 'marked']; // fields that speak well of candidates, best first
const ILL = ['minus', 'against', 'worst'];

/** Different rankings: first one that no other is likelier than, then others at random; of few candidates
 * all that there are. Null where the mechanism cannot easily say how likely they are.
 */
export function couldHaveSent(poll: Poll, report: Report, bits: Bits = secureBits()): Ballot[] | null {
  const { candidates, mechanism } = poll;
  if (!mechanism.weight) return null;
  const weight = (ranking: readonly number[]): bigint => mechanism.weight!(report, ranking);
  const d = candidates.length;
  const number = d < 4 ? [1, 1, 2, 6][d]! : SHOWN;
  const likeliest = extremes(report, distinct(d, d, bits)).reduce((a, b) => (weight(a) >= weight(b) ? a : b));
  const found = new Map<string, readonly number[]>([[String(likeliest), likeliest]]);
  while (found.size < number) {
    const ranking = distinct(d, d, bits);
    found.set(String(ranking), ranking);
  }
  const rankings = [...found.values()];
  const weights = rankings.map(weight);
  const most = weights.reduce((a, b) => (a > b ? a : b));
  return rankings.map((ranking, i) => ({
    ranking,
    share: Number((weights[i]! << 32n) / most) / 2 ** 32,
    hundredths: Number((100n * most + weights[i]! - 1n) / weights[i]!),
  }));
}

/** The two rankings that agree and disagree most with what a report says; one of them is the likeliest to send
 * it, since no mechanism gets likelier to name somebody by ranking them nearer to the middle.
 */
function extremes(report: Report, ranking: readonly number[]): [readonly number[], readonly number[]] {
  const among = (names: readonly string[]): number[] => names.flatMap((name) => {
    const group = report[name];
    return Array.isArray(group) ? ranking.filter((j) => group.includes(j)) : [];
  });
  const first = among(WELL);
  const last = among(ILL);
  const agrees = [...first, ...ranking.filter((j) => !first.includes(j) && !last.includes(j)), ...last];
  return [agrees, [...agrees].reverse()];
}

/** Which candidates a report speaks well of, and which ill; a mechanism may have other fields. */
export function marksOf(report: Report): Map<number, string> {
  const marks = new Map<number, string>();
  for (const [names, mark] of [[WELL, 'over'], [ILL, 'under']] as const) {
    for (const name of names) {
      const group = report[name];
      if (Array.isArray(group)) for (const j of group) marks.set(j, mark);
    }
  }
  return marks;
}

/** What the ballot says. */
import { ballot } from '#words';
import type { Poll } from '../../poll.js';
import { littleTogether } from '../pieces/protection.js';
import { count, epsilonOf, teller } from '../pieces/words.js';

export const tellBallot = teller(ballot);

/** That so many sentences protect little together, though each alone protects more; null where nothing is to be said. */
export function littleOf({ mechanism: { epsilon } }: Poll, times: number): string | null {
  const all = littleTogether(epsilon, times);
  return all && tellBallot('little.together', { number: count(times), epsilon: epsilonOf(all) });
}

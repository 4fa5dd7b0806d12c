/** What the ballot says. */
import { ballot } from '#words';
import { teller } from '../pieces/words.js';

export const tellBallot = teller(ballot);

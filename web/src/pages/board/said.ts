/** What the board says. */
import { board } from '#words';
import { teller } from '../pieces/words.js';

export const tellBoard = teller(board);

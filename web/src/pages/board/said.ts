/** What the board says. */
import { board } from '#words';
import { Trouble } from '../pieces/api.js';
import { teller } from '../pieces/words.js';

export const tellBoard = teller(board);

/** Why a board cannot be shown, and what that means: there was no answer, or one that cannot be read. */
export function whyNot(error: unknown): [string, string] {
  if (error instanceof Trouble) return [tellBoard('unreached'), tellBoard('unreached.says')];
  return [tellBoard('damaged'), tellBoard('damaged.says')];
}

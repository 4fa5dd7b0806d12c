/** What this page says. */
import { create } from '#words';
import { teller } from '../pieces/words.js';

export const tellCreate = teller(create);

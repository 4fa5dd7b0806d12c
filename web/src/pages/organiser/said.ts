/** What this page says. */
import { organiser } from '#words';
import { teller } from '../pieces/words.js';

export const tellOrganiser = teller(organiser);

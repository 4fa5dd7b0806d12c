/** The same for polls whose mechanism is the duel, and for no others; what a device keeps and sends
 * is in an entry of its own, `voting.ts`.
 */
import { duel } from './mechanisms/duel.js';
import { opener } from './poll.js';

export const openPoll = opener([duel]);

export * from './drawing.js';

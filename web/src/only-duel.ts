/** The same for polls whose mechanism is the duel, and for no others. */
import { duel } from './mechanisms/duel.js';
import { opener } from './poll.js';

export const openPoll = opener([duel]);

export * from './voting.js';

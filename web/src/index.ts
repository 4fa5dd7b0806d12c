/** The voter's side of hushvote: opens a poll, checks it, and randomises a vote on this device. */
import { additive } from './mechanisms/additive.js';
import { challenge } from './mechanisms/challenge.js';
import { duel } from './mechanisms/duel.js';
import { laplace } from './mechanisms/laplace.js';
import { naiveSampling, weightedSampling } from './mechanisms/sampling.js';
import { opener } from './poll.js';

/** All mechanisms that a poll may have. */
export const kinds = [laplace, naiveSampling, weightedSampling, additive, duel, challenge] as const;

/** Open a poll from the text of its manifest and the digest that stands in the link. */
export const openPoll = opener(kinds);

export * from './drawing.js';
export * from './voting.js';

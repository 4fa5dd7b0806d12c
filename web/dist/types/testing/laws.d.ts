/** For tests: the exact law of a draw, found by following it on all its ways.
 *
 * It takes the place of the lottery (`vi.mock`): every number that a draw asks for becomes a fork. A
 * draw that begins again is followed for one attempt, which stands for all: attempts are alike and
 * do not know of each other.
 */
import type { Bits } from '../bits.js';
export declare const sum: (numbers: readonly bigint[]) => bigint;
/** What `lottery.ts` has, as forks. */
export declare const lottery: {
    sum: (numbers: readonly bigint[]) => bigint;
    pick: (weights: readonly bigint[]) => number;
    below: (limit: bigint) => bigint;
    distinct(d: number, count: number): number[];
};
/** Chances of all outcomes as whole numbers, with their sum: exact. */
export declare function lawOf(draw: (bits: Bits) => unknown): {
    law: Map<string, bigint>;
    total: bigint;
};
/** All rankings of d candidates. */
export declare function rankings(d: number): number[][];

import type { Mechanism } from '../mechanisms/mechanism.js';
import { type Counter } from './counter.js';
/** View a [named] - b, with a and b from E - 1, E wmin - wmax and (d - 1)/((d - k)(E - 1)). */
export declare function countAdditive({ d, odds, rule, given }: Mechanism): Counter;
/** View g s/(s - 1) + c of a marked candidate, c - g/(s - 1) of another, with s the root of the odds
 * and g = ±Σ|w - c|, above 0 in the class of marks that count for a candidate.
 */
export declare function countSampling({ d, odds, rule, given, fields }: Mechanism): Counter;

/** A voting rule: a name, and what the candidate at each rank scores. */
import type { JsonObject } from './canonical.js';
import { type Fraction } from './exact.js';
export interface Rule {
    readonly name: string;
    readonly scores: readonly Fraction[];
    /** The scores as the smallest whole numbers, times `scale`. */
    readonly whole: readonly bigint[];
    readonly scale: bigint;
}
/** Read a rule of 2 to 64 scores that do not rise and are not all equal. */
export declare function readRule(given: JsonObject): Rule;

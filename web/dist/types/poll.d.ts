import { type Bits } from './bits.js';
import { type Fraction } from './exact.js';
import { type Report } from './fields.js';
import type { Kind, Mechanism, Say } from './mechanisms/mechanism.js';
/** What the manifest says, read and checked. */
export interface Manifest {
    readonly digest: string;
    readonly id: string;
    readonly question: string;
    readonly description: string;
    readonly candidates: readonly string[];
    readonly mechanism: Mechanism;
    readonly seats: number;
    readonly access: 'link' | 'codes';
    /** How often a vote may be changed. */
    readonly changes: number;
    /** Whether a ranking may leave candidates out. */
    readonly partial: boolean;
    /** Standing reports without which there is no result. */
    readonly turnout: number;
    readonly live: number;
    readonly server: string;
}
/** What was found when a poll was checked, for the voter to see. */
export interface Checked {
    readonly digest: string;
    /** The local epsilon, as a fraction. */
    readonly epsilon: string;
    /** By how much whoever sees a report can multiply their odds about the vote: rounded up. */
    readonly factor: string;
    /** The same for whoever sees as many reports as one voter may draw: 1 + changes. */
    readonly factorOfAll: string;
}
export interface Drawn {
    readonly report: Report;
    /** The whole ranking that the report was drawn for. */
    readonly ranking: readonly number[];
}
export interface Poll extends Manifest {
    /** Check everything once more, from the text on. */
    check(): Checked;
    /** Randomise one vote. Do so once: to draw again until a report pleases breaks its privacy. */
    draw(ranking: readonly number[], options?: {
        question?: Uint8Array;
        bits?: Bits;
    }): Drawn;
    /** A report as a sentence, in the language of `say`. */
    words(report: unknown, say: Say): string;
}
/** A way to open polls of these kinds of mechanisms. */
export declare function opener(kinds: readonly Kind[]): (text: string, digest: string) => Poll;
/** Whether this is text of so many hexadecimal digits in lower case. */
export declare function isHex(text: unknown, length: number): text is string;
/** Different candidates, best first: all of them, or at least one where it may be partial. */
export declare function checkRanking({ candidates, partial }: Manifest, ranking: unknown): void;
/** e to so many times epsilon with three digits, never less than it is. */
export declare function factorOf(epsilon: Fraction, times: number): string;
/** So many hundredths, of which there is at least one whole, with three digits, rounded up. */
export declare function threeDigits(hundredths: bigint): string;

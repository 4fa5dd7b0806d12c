/** What a mechanism counts of its reports: the same integers as the Python package. */
import { type Fraction } from '../exact.js';
import type { Report } from '../fields.js';
/** An array of whole numbers by rows; those of 2^53 or more as text. */
export interface Counted {
    readonly shape: readonly number[];
    readonly values: readonly (number | string)[];
}
export interface Counter {
    add(report: Report): void;
    counts(): Record<string, Counted>;
    /** The mean score of every candidate, estimated from n reports. */
    scores(n: number): number[];
}
/** A fraction as the nearest float, or one next to it. */
export declare function float({ up, down }: Fraction): number;
export declare const times: (a: Fraction, b: Fraction) => Fraction;
export declare const over: (a: Fraction, b: Fraction) => Fraction;
export declare const plus: (a: Fraction, b: Fraction) => Fraction;
export declare const minus: (a: Fraction, b: Fraction) => Fraction;
export declare const number: (up: bigint | number, down?: bigint | number) => Fraction;
/** How often two candidates are in one set, on the diagonal each alone; one matrix a variant. */
export declare class Pairs {
    readonly d: number;
    readonly values: Float64Array;
    constructor(d: number, variants?: number);
    add(set: readonly number[], variant?: number): void;
    /** How often a candidate was in a set of this variant. */
    alone(candidate: number, variant?: number): number;
}
export declare const counted: (shape: readonly number[], values: ArrayLike<number>) => Counted;
export declare const range: (n: number) => number[];

export interface Fraction {
    readonly up: bigint;
    readonly down: bigint;
}
/** A fraction as text in lowest terms, and in no other way. */
export declare function fraction(value: unknown): Fraction;
/** A whole number: a number below 2^53, text from there on; undefined for anything else. */
export declare function whole(value: unknown): bigint | undefined;
/** A whole number from `low` to `high`, written as a number; undefined for anything else. */
export declare function wholeWithin(value: unknown, low: number, high: number): number | undefined;
export declare function absolute(x: bigint): bigint;
export declare function sum(numbers: readonly bigint[]): bigint;
export declare function gcd(a: bigint, b: bigint): bigint;
export declare function compare(a: Fraction, b: Fraction): number;
/** Fractions as whole numbers over the smallest denominator that they have in common. */
export declare function common(fractions: readonly Fraction[]): {
    whole: bigint[];
    scale: bigint;
};
/** The partial sum of 120 terms of the power series of exp(x): short of it by less than 10^-60 for
 * 0 <= x <= 10. By Horner's rule, 1 + x/1 (1 + x/2 (... (1 + x/119))).
 */
export declare function expBelow(x: Fraction): Fraction;
/** The largest whole number whose square is at most n. */
export declare function squareRoot(n: bigint): bigint;
export declare function bitLength(n: bigint): number;

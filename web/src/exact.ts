/** Exact numbers: fractions of whole numbers, and e to their power. No floats here. */
import { check } from './refusal.js';

export interface Fraction {
  readonly up: bigint;
  readonly down: bigint;
}

const LONGEST = 100;
const FRACTION = /^(?:0|(-?[1-9][0-9]*)(?:\/([1-9][0-9]*))?)$/;
const WHOLE = /^-?[1-9][0-9]*$/;

/** A fraction as text in lowest terms, and in no other way. */
export function fraction(value: unknown): Fraction {
  const found = typeof value === 'string' && value.length <= LONGEST ? FRACTION.exec(value) : null;
  check(found !== null, 'parameters.canonical', 'a fraction');
  const up = BigInt(found[1] ?? 0);
  const down = BigInt(found[2] ?? 1);
  check(gcd(up, down) === 1n && found[2] !== '1', 'parameters.canonical', 'a fraction');
  return { up, down };
}

/** A whole number: a number below 2^53, text from there on; undefined for anything else. */
export function whole(value: unknown): bigint | undefined {
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  if (typeof value !== 'string' || value.length > LONGEST || !WHOLE.test(value)) return undefined;
  const number = BigInt(value);
  return absolute(number) >= 1n << 53n ? number : undefined;
}

/** A whole number from `low` to `high`, written as a number; undefined for anything else. */
export function wholeWithin(value: unknown, low: number, high: number): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= low && (value as number) <= high
    ? (value as number)
    : undefined;
}

export function absolute(x: bigint): bigint {
  return x < 0n ? -x : x;
}

export function sum(numbers: readonly bigint[]): bigint {
  return numbers.reduce((all, one) => all + one, 0n);
}

export function gcd(a: bigint, b: bigint): bigint {
  while (b) [a, b] = [b, a % b];
  return absolute(a);
}

export function compare(a: Fraction, b: Fraction): number {
  const x = a.up * b.down;
  const y = b.up * a.down;
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Fractions as whole numbers over the smallest denominator that they have in common. */
export function common(fractions: readonly Fraction[]): { whole: bigint[]; scale: bigint } {
  const scale = fractions.reduce((all, { down }) => (all / gcd(all, down)) * down, 1n);
  return { whole: fractions.map(({ up, down }) => up * (scale / down)), scale };
}

/** The partial sum of 120 terms of the power series of exp(x): short of it by less than 10^-60 for
 * 0 <= x <= 10. By Horner's rule, 1 + x/1 (1 + x/2 (... (1 + x/119))).
 */
export function expBelow(x: Fraction): Fraction {
  let up = 1n;
  let down = 1n;
  for (let k = 119n; k > 0n; k--) {
    up = down * x.down * k + x.up * up;
    down *= x.down * k;
  }
  return { up, down };
}

/** The largest whole number whose square is at most n. */
export function squareRoot(n: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(bitLength(n) / 2));
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

export function bitLength(n: bigint): number {
  return n ? n.toString(2).length : 0;
}

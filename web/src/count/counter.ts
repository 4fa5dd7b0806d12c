/** What a mechanism counts of its reports: the same integers as the Python package. */
import { absolute, bitLength, type Fraction } from '../exact.js';
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
export function float({ up, down }: Fraction): number {
  const size = absolute(up);
  const shift = BigInt(Math.max(0, 80 + bitLength(down) - bitLength(size)));
  const near = Number((size << shift) / down) / 2 ** Number(shift);
  return up < 0n ? -near : near;
}

export const times = (a: Fraction, b: Fraction): Fraction => ({ up: a.up * b.up, down: a.down * b.down });
export const over = (a: Fraction, b: Fraction): Fraction =>
  b.up < 0n ? times(a, { up: -b.down, down: -b.up }) : times(a, { up: b.down, down: b.up });
export const plus = (a: Fraction, b: Fraction): Fraction => ({
  up: a.up * b.down + b.up * a.down,
  down: a.down * b.down,
});
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { up: -b.up, down: b.down });
export const number = (up: bigint | number, down: bigint | number = 1n): Fraction => ({
  up: BigInt(up),
  down: BigInt(down),
});

/** How often two candidates are in one set, on the diagonal each alone; one matrix a variant. */
export class Pairs {
  readonly values: Float64Array;

  constructor(
    readonly d: number,
    variants = 1,
  ) {
    this.values = new Float64Array(variants * d * d);
  }

  add(set: readonly number[], variant = 0): void {
    const { d, values } = this;
    const first = variant * d * d;
    for (const i of set) for (const j of set) values[first + i * d + j]! += 1;
  }

  /** How often a candidate was in a set of this variant. */
  alone(candidate: number, variant = 0): number {
    return this.values[(variant * this.d + candidate) * this.d + candidate]!;
  }
}

export const counted = (shape: readonly number[], values: ArrayLike<number>): Counted => ({
  shape,
  values: Array.from(values),
});

export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** How much an epsilon protects: what may be said to reassure, and where to warn instead. */
import { compare, type Fraction } from '../../exact.js';
import { LITTLE } from '../../messages/limits.js';

const SOME: Fraction = { up: 3n, down: 1n }; // from here on a report may say much

export function protectionOf(epsilon: Fraction): 'much' | 'some' | 'little' {
  if (compare(epsilon, { up: LITTLE, down: 1n }) > 0) return 'little';
  return compare(epsilon, SOME) < 0 ? 'much' : 'some';
}

/** The epsilon of so many reports together, where that protects little though one alone protects more; else null. */
export function littleTogether({ up, down }: Fraction, times: number): Fraction | null {
  const all = { up: up * BigInt(times), down };
  return protectionOf({ up, down }) !== 'little' && protectionOf(all) === 'little' ? all : null;
}

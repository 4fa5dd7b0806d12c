/** How much an epsilon protects: what may be said to reassure, and where to warn instead. */
import { compare, type Fraction } from '../../exact.js';

const SOME: Fraction = { up: 3n, down: 1n }; // from here on a report may say much
const LITTLE: Fraction = { up: 5n, down: 1n }; // beyond it hardly anything is protected, as the commands say too

export function protectionOf(epsilon: Fraction): 'much' | 'some' | 'little' {
  if (compare(epsilon, LITTLE) > 0) return 'little';
  return compare(epsilon, SOME) < 0 ? 'much' : 'some';
}

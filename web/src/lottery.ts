/** The three steps that all draws are made of (conformance/README.md, "How a draw uses its bytes"). */
import type { Bits } from './bits.js';
import { bitLength, sum } from './exact.js';

// --8<-- [start:below]
/** A uniform whole number from 0 to limit - 1. */
export function below(limit: bigint, bits: Bits): bigint {
  const width = bitLength(limit - 1n);
  const mask = (1n << BigInt(width)) - 1n;
  for (;;) {
    let number = 0n;
    for (const byte of bits.bytes(Math.ceil(width / 8))) number = (number << 8n) | BigInt(byte);
    if ((number &= mask) < limit) return number;
  }
}
// --8<-- [end:below]

/** The same for a small limit, up to 2^16. */
function belowSmall(limit: number, bits: Bits): number {
  const width = 32 - Math.clz32(limit - 1);
  for (;;) {
    let number = 0;
    for (const byte of bits.bytes(Math.ceil(width / 8))) number = (number << 8) | byte;
    if ((number &= (1 << width) - 1) < limit) return number;
  }
}

/** `count` different numbers from 0 to d - 1, every sequence equally likely. */
export function distinct(d: number, count: number, bits: Bits): number[] {
  const numbers = Array.from({ length: d }, (_, i) => i);
  for (let i = 0; i < count; i++) {
    const j = i + belowSmall(d - i, bits);
    [numbers[i], numbers[j]] = [numbers[j] as number, numbers[i] as number];
  }
  return numbers.slice(0, count);
}

/** An index, each as likely as its weight says. */
export function pick(weights: readonly bigint[], bits: Bits): number {
  const x = below(sum(weights), bits);
  let running = 0n;
  return weights.findIndex((weight) => (running += weight) > x);
}

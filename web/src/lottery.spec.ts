import { expect, test } from 'vitest';
import { type Bits, fixedBits, secureBits } from './bits.js';
import { below, distinct, pick } from './lottery.js';
import { Refusal } from './refusal.js';

test('below reads whole bytes, keeps the lowest bits, and begins again at the limit', () => {
  const bits = fixedBits(Uint8Array.of(0b1111_1101, 0b1010_0010));
  expect(below(5n, bits)).toBe(2n); // 101 is 5, so again; 010 is 2
  expect(bits.used).toBe(2);
});

test('below 1 takes nothing', () => {
  expect(below(1n, fixedBits(Uint8Array.of()))).toBe(0n);
});

test('below reads big-endian numbers of any length', () => {
  const bytes = Uint8Array.from({ length: 9 }, (_, i) => i + 1);
  expect(below(1n << 72n, fixedBits(bytes))).toBe(0x010203040506070809n);
});

test('a stream that runs out is refused', () => {
  expect(() => below(256n, fixedBits(Uint8Array.of()))).toThrow(new Refusal('stream.end'));
});

/** Every stream of so many bytes, each of them below 4. */
function* streams(length: number): Generator<Uint8Array> {
  for (let x = 0; x < 4 ** length; x++) yield Uint8Array.from({ length }, (_, i) => (x >> (2 * i)) & 3);
}

test('all sequences of distinct numbers are equally likely', () => {
  // below(4) takes one byte, below(3) begins again at 3: count only streams without a 3 there
  const often = new Map<string, number>();
  for (const stream of streams(2)) {
    if (stream[1] === 3) continue;
    const drawn = distinct(4, 2, fixedBits(stream)).join();
    often.set(drawn, (often.get(drawn) ?? 0) + 1);
  }
  expect(often.size).toBe(12);
  expect(new Set(often.values())).toEqual(new Set([1]));
});

test('an index is picked as often as its weight says', () => {
  const often = [0, 0, 0];
  for (let x = 0; x < 8; x++) often[pick([3n, 0n, 5n], fixedBits(Uint8Array.of(x)))]!++;
  expect(often).toEqual([3, 0, 5]);
});

test('secure bits are as many as asked for, never twice the same', () => {
  const bits: Bits = secureBits();
  const seen = new Set<string>();
  for (const length of [1, 16, 1000, 24, 1024, 4096, 32]) {
    const taken = bits.bytes(length);
    expect(taken.length).toBe(length);
    if (length >= 16) seen.add(taken.slice(0, 16).join());
    if (length >= 1000) expect(new Set(taken).size).toBeGreaterThan(200); // of 256, but for 1 in 10^9
  }
  expect(seen.size).toBe(6);
});

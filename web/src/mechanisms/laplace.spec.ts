import { expect, test } from 'vitest';
import { fixedBits } from '../bits.js';
import type { JsonObject } from '../canonical.js';
import { kinds } from '../index.js';
import { readMechanism } from '../parameters.js';
import { vectors } from '../testing/vectors.js';

interface Vectors {
  mechanisms: Record<string, JsonObject>;
}

const { mechanisms } = vectors('draws.json') as Vectors;
const given = Object.values(mechanisms).find(({ mechanism }) => mechanism === 'laplace')!;
const digits = (given.digits as (number | string)[]).map(BigInt);
const made = readMechanism(given, kinds);

/** A stream in which every word of the noise is its digit's number plus `more`, and signs are 0. */
function words(more: bigint): Uint8Array {
  const length = 8 + made.d * (8 * 200 + 1);
  const stream = new Uint8Array(length); // the dither is 0
  const view = new DataView(stream.buffer);
  const used = fixedBits(new Uint8Array(length));
  made.draw([...Array(made.d).keys()], used);
  const each = (used.used - 8) / made.d;
  for (let j = 0; j < made.d; j++) {
    for (let i = 0; 8 * i < each - 1; i++) {
      view.setBigUint64(8 + j * each + 8 * i, digits[Math.min(i, digits.length - 1)]! + more);
    }
  }
  return stream;
}

test('a digit is 1 for words below its number, and 0 for the number itself', () => {
  const ranking = [...Array(made.d).keys()];
  const none = made.draw(ranking, fixedBits(words(0n))); // no digit, no tail: the noise is 0
  const all = made.draw(ranking, fixedBits(words(-1n))); // all digits and tails: cut off
  for (const { name, high } of made.fields) {
    expect(Math.abs(none[name] as number)).toBeLessThanOrEqual(1 << 21);
    expect(all[name]).toBe(high);
  }
});

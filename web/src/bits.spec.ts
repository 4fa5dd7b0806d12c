import { afterEach, expect, test, vi } from 'vitest';
import { keyedBits, secureBits } from './bits.js';

afterEach(() => {
  vi.restoreAllMocks();
});

test('bytes that were used are erased from what is kept', () => {
  const filled: Uint8Array[] = [];
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    filled.push((array as Uint8Array).fill(7));
    return array;
  });
  const bits = secureBits();
  expect([...bits.bytes(5)]).toEqual([7, 7, 7, 7, 7]);
  bits.bytes(3);
  const [pool] = filled;
  expect([...pool!.slice(0, 9)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 7]);
});

test('a keyed stream is one stream, however it is cut', () => {
  const [key, message] = [Uint8Array.of(1, 2), new Uint8Array(32)];
  const whole = keyedBits(key, message).bytes(100);
  const parts = keyedBits(key, message);
  expect([...parts.bytes(1), ...parts.bytes(40), ...parts.bytes(59)]).toEqual([...whole]);
});

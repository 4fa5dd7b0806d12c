import { expect, test } from 'vitest';
import { littleTogether, protectionOf } from './protection.js';

test.each([
  ['much', [1n, 10n, 29n]],
  ['some', [30n, 40n, 50n]],
  ['little', [51n, 60n, 100n]],
])('%s is protected', (protection, tenths) => {
  for (const up of tenths) expect(protectionOf({ up, down: 10n })).toBe(protection);
});

test('several reports may protect little together, though each of them protects more', () => {
  const three = { up: 3n, down: 1n };
  expect(littleTogether(three, 1)).toBeNull();
  expect(littleTogether(three, 2)).toEqual({ up: 6n, down: 1n });
  expect(littleTogether({ up: 5n, down: 2n }, 2)).toBeNull(); // 5 in all
  expect(littleTogether({ up: 6n, down: 1n }, 2)).toBeNull(); // one alone says so already
});

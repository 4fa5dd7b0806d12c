import { expect, test } from 'vitest';
import { protectionOf } from './protection.js';

test.each([
  ['much', [1n, 10n, 29n]],
  ['some', [30n, 40n, 50n]],
  ['little', [51n, 60n, 100n]],
])('%s is protected', (protection, tenths) => {
  for (const up of tenths) expect(protectionOf({ up, down: 10n })).toBe(protection);
});

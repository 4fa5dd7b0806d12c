import { expect, test } from 'vitest';
import { bitLength, common, compare, expBelow, fraction, gcd, squareRoot, whole } from './exact.js';

test.each(['0', '1', '-1', '7/3', '-22/7', '1/1000000', '9'.repeat(100)])('%s is a fraction', (text) => {
  const { up, down } = fraction(text);
  expect(down === 1n ? `${up}` : `${up}/${down}`).toBe(text);
});

test.each(['', '00', '-0', '01', '1/1', '2/4', '0/5', '1/0', '1/-2', '+1', '1.5', '1e3', ' 1', '1 ', '１', '1/2/3', '9'.repeat(101), 1, null, true])(
  '%s is none',
  (value) => {
    expect(() => fraction(value)).toThrow('parameters.canonical');
  },
);

test('whole numbers are numbers below 2^53, and text from there on', () => {
  expect(whole(5)).toBe(5n);
  expect(whole(-(2 ** 53 - 1))).toBe(-(2n ** 53n - 1n));
  expect(whole('9007199254740992')).toBe(2n ** 53n);
  expect(whole('-9007199254740992')).toBe(-(2n ** 53n));
  for (const bad of ['5', '9007199254740991', 2 ** 53, 0.5, NaN, true, '09007199254740992', '9e99', '', '1'.repeat(101)]) {
    expect(whole(bad)).toBeUndefined();
  }
});

test('the power series is below e to the x, and near it', () => {
  for (const [up, down] of [[1n, 10n ** 6n], [1n, 1n], [10n, 1n], [22n, 7n]] as const) {
    const sum = expBelow({ up, down });
    const near = Number((sum.up * 10n ** 20n) / sum.down) / 1e20;
    expect(near).toBeCloseTo(Math.exp(Number(up) / Number(down)), 8);
  }
  const digits = '2718281828459045235360287471352662497757247093699959574966967'; // of e, Euler
  const e = expBelow({ up: 1n, down: 1n });
  expect(((e.up * 10n ** 60n) / e.down).toString()).toBe(digits);
});

test('square roots are rounded down', () => {
  for (const n of [1n, 2n, 3n, 4n, 15n, 16n, 17n, 10n ** 40n, 10n ** 40n - 1n, (1n << 128n) - 1n]) {
    const root = squareRoot(n);
    expect(root * root <= n && (root + 1n) * (root + 1n) > n).toBe(true);
  }
});

test('small things', () => {
  expect(gcd(-12n, 18n)).toBe(6n);
  expect(bitLength(0n)).toBe(0);
  expect(bitLength(255n)).toBe(8);
  expect(compare({ up: 1n, down: 3n }, { up: 2n, down: 5n })).toBe(-1);
  expect(common([{ up: 1n, down: 2n }, { up: 1n, down: 3n }])).toEqual({ whole: [3n, 2n], scale: 6n });
});

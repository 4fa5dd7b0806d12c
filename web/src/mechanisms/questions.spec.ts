import { expect, test } from 'vitest';
import { readQuestions } from './questions.js';

/** One question on 64 candidates. */
function one(plus: number, minus: number, weight: number): unknown[] {
  const weights = Array.from({ length: 64 }, (_, r) => (r < 63 ? weight : 0));
  return [{ plus, minus, gain: 1, loss: 1, weights, threshold: 0, share: 2 ** 32, step: 1 }];
}

test('groups that take in everybody cost what the smaller one costs', () => {
  // 64 (20 + 1) (20 w + 1) cells, of 2^22 at most
  for (const [plus, minus] of [[20, 44], [44, 20]] as const) {
    expect(readQuestions(one(plus, minus, 155), 64, true).length).toBe(1);
    expect(() => readQuestions(one(plus, minus, 157), 64, true)).toThrow('parameters.cost');
  }
});

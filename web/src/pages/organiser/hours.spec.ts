import { describe, expect, it } from 'vitest';
import { barsOf } from './hours.js';

const FIRST = 1_800_000_000;
const at = (hour: number, casts: number): { at: number; casts: number } => ({ at: FIRST + hour * 3600, casts });

describe('votes by the hour', () => {
  it('has a bar for each hour, those without votes too, until now', () => {
    const { step, bars } = barsOf([at(0, 3), at(11, 5)], FIRST + 12 * 3600 + 1800);
    expect(step).toBe(1);
    expect(bars.map(({ casts }) => casts)).toEqual([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0]);
  });

  it('begins earlier where there are few hours', () => {
    const { bars } = barsOf([at(0, 3)], FIRST + 1800);
    expect(bars.map(({ casts }) => casts)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
    expect(bars.at(-1)!.at).toBe(FIRST);
  });

  it('joins hours where there are many, and loses no vote', () => {
    for (const last of [47, 48, 100, 500, 3000, 90_000]) {
      const { step, bars } = barsOf([at(0, 1), at(Math.floor(last / 2), 7), at(last, 2)], FIRST);
      expect(bars.length).toBeLessThanOrEqual(48);
      expect(bars.length * step).toBeGreaterThan(last);
      expect(bars.reduce((sum, { casts }) => sum + casts, 0)).toBe(10);
      expect([bars[0]!.casts, bars.at(-1)!.casts]).toEqual([1, 2]);
    }
  });
});

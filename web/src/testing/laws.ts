/** For tests: the exact law of a draw, found by following it on all its ways.
 *
 * It takes the place of the lottery (`vi.mock`): every number that a draw asks for becomes a fork. A
 * draw that begins again is followed for one attempt, which stands for all: attempts are alike and
 * do not know of each other.
 */
import type { Bits } from '../bits.js';
import { gcd, sum } from '../exact.js';

class Again extends Error {}

interface Fork {
  choice: number;
  readonly weights: readonly bigint[];
}

let path: Fork[] = [];
let depth = 0;
let attempts = 0;

/** The next fork: the same choice as last time on the way to where the ways part. */
function choose(weights: readonly bigint[]): number {
  const known = path[depth] ?? { choice: weights.findIndex((weight) => weight > 0n), weights };
  path[depth++] = known;
  return known.choice;
}

/** What `lottery.ts` has, as forks. */
export const lottery = {
  pick: (weights: readonly bigint[]): number => choose(weights),
  below: (limit: bigint): bigint => BigInt(choose(Array<bigint>(Number(limit)).fill(1n))),
  distinct(d: number, count: number): number[] {
    if (attempts++) throw new Again();
    const left = Array.from({ length: d }, (_, i) => i);
    return Array.from({ length: count }, () => left.splice(choose(left.map(() => 1n)), 1)[0]!);
  },
};

const NONE: Bits = {
  bytes: () => {
    throw new Error('a draw must not take bytes by itself');
  },
};

/** Chances of all outcomes as whole numbers, with their sum: exact. */
export function lawOf(draw: (bits: Bits) => unknown): { law: Map<string, bigint>; total: bigint } {
  const found: { outcome: string; up: bigint; down: bigint }[] = [];
  path = [];
  do {
    depth = attempts = 0;
    try {
      const outcome = JSON.stringify(draw(NONE));
      const up = path.reduce((all, { choice, weights }) => all * weights[choice]!, 1n);
      const down = path.reduce((all, { weights }) => all * sum(weights), 1n);
      found.push({ outcome, up, down });
    } catch (error) {
      if (!(error instanceof Again)) throw error;
    }
  } while (next());
  const common = found.reduce((all, { down }) => (all / gcd(all, down)) * down, 1n);
  const law = new Map<string, bigint>();
  for (const { outcome, up, down } of found) {
    law.set(outcome, (law.get(outcome) ?? 0n) + up * (common / down));
  }
  return { law, total: sum([...law.values()]) };
}

/** Turn the last fork that has another way; false when all ways were taken. */
function next(): boolean {
  path.length = depth;
  for (let last = path.pop(); last; last = path.pop()) {
    const choice = last.weights.findIndex((weight, i) => i > last.choice && weight > 0n);
    if (choice >= 0) {
      path.push({ ...last, choice });
      return true;
    }
  }
  return false;
}

/** All rankings of d candidates. */
export function rankings(d: number): number[][] {
  if (d === 0) return [[]];
  return rankings(d - 1).flatMap((rest) =>
    Array.from({ length: d }, (_, i) => [...rest.slice(0, i), d - 1, ...rest.slice(i)]),
  );
}

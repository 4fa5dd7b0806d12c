/** Neither how many bytes a draw takes, nor which, depends on the ranking. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { fixedBits } from './bits.js';
import type { Json } from './canonical.js';
import { kinds } from './index.js';
import { mechanismOf, stream, vectors } from './testing/vectors.js';

const { mechanisms } = vectors('draws.json') as { mechanisms: Record<string, Json> };

/** A shuffled ranking that depends on nothing but the seed. */
function shuffled(d: number, seed: string): number[] {
  const keys = Array.from({ length: d }, (_, j) => createHash('sha256').update(`${seed}/${j}`).digest('hex'));
  return keys.map((_, j) => j).sort((a, b) => (keys[a]! < keys[b]! ? -1 : 1));
}

test.each(kinds.map(({ name }) => name))('%s takes as many bytes for every ranking', (name) => {
  const own = Object.keys(mechanisms).map((digest) => mechanismOf(mechanisms, digest));
  const few = own.filter((made) => made.name === name).filter((_, i) => i % 5 === 0);
  expect(few.length).toBeGreaterThan(5);
  for (const [i, made] of few.entries()) {
    const random = stream(`bytes/${name}/${i}`, 1 << 17);
    const used = Array.from({ length: 6 }, (_, k) => {
      const bits = fixedBits(random);
      made.draw(shuffled(made.d, `${i}/${k}`), bits);
      return bits.used;
    });
    expect(new Set(used).size).toBe(1);
  }
});

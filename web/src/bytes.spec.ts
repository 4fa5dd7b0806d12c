/** Neither how many bytes a draw takes, nor which, depends on the ranking. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixedBits } from './bits.js';
import type { Json } from './canonical.js';
import { kinds } from './index.js';
import { readMechanism } from './parameters.js';

const folder = new URL('../../conformance/', import.meta.url);
const { mechanisms } = JSON.parse(readFileSync(new URL('draws.json', folder), 'utf8')) as {
  mechanisms: Record<string, Json>;
};

function stream(seed: string, length: number): Uint8Array {
  const blocks = Array.from({ length: length / 32 }, (_, i) =>
    createHash('sha256').update(`${seed}/${i}`).digest(),
  );
  return Uint8Array.from(Buffer.concat(blocks));
}

/** A shuffled ranking that depends on nothing but the seed. */
function shuffled(d: number, seed: string): number[] {
  const keys = Array.from({ length: d }, (_, j) => createHash('sha256').update(`${seed}/${j}`).digest('hex'));
  return keys.map((_, j) => j).sort((a, b) => (keys[a]! < keys[b]! ? -1 : 1));
}

test.each(kinds.map(({ name }) => name))('%s takes as many bytes for every ranking', (name) => {
  const own = Object.values(mechanisms).filter((one) => (one as { mechanism: string }).mechanism === name);
  expect(own.length).toBeGreaterThan(5);
  for (const [i, given] of own.entries()) {
    const made = readMechanism(given, kinds);
    for (let s = 0; s < 3; s++) {
      const random = stream(`bytes/${name}/${i}/${s}`, 1 << 17);
      const used = Array.from({ length: 6 }, (_, k) => {
        const bits = fixedBits(random);
        made.draw(shuffled(made.d, `${i}/${s}/${k}`), bits);
        return bits.used;
      });
      expect(new Set(used).size).toBe(1);
    }
  }
});

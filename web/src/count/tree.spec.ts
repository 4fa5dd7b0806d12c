import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Tree } from './tree.js';

const hash = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The root as RFC 9162 defines it: on the left the largest power of two below the number of leaves. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return hash();
  if (leaves.length === 1) return leaves[0]!;
  let split = 1;
  while (2 * split < leaves.length) split *= 2;
  return hash(Buffer.from([1]), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

test('a root that grows leaf by leaf is that of the whole list', () => {
  const tree = new Tree();
  const leaves: Buffer[] = [];
  for (let n = 0; n < 40; n++) {
    expect(tree.root).toBe(rootOf(leaves).toString('hex'));
    leaves.push(hash(Buffer.from([n])));
    tree.add(leaves[n]!.toString('hex'));
  }
});

/** The Merkle tree of a board (RFC 9162, section 2.1), over leaves that are hashes already. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';

const INNER = new Uint8Array([1]);

const node = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concatBytes(INNER, left, right));

/** A root that is computed leaf by leaf, keeping one hash for each size of whole subtree. */
export class Tree {
  private size = 0;
  private readonly whole: Uint8Array[] = []; // subtrees, from the left and the largest on

  add(leaf: string): void {
    let grown: Uint8Array = hexToBytes(leaf);
    for (let left = this.size; left % 2 === 1; left = Math.floor(left / 2)) grown = node(this.whole.pop()!, grown);
    this.whole.push(grown);
    this.size++;
  }

  get root(): string {
    const last = this.whole.at(-1);
    if (!last) return bytesToHex(sha256(new Uint8Array()));
    return bytesToHex(this.whole.slice(0, -1).reduceRight((found, subtree) => node(subtree, found), last));
  }
}

/** Where chance comes from: the device's secure generator, or given bytes in tests. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { check } from './refusal.js';

export interface Bits {
  /** The next so many bytes. */
  bytes(length: number): Uint8Array;
}

const POOL = 1024;

// --8<-- [start:secure]
/** Fresh bytes of the device's secure generator. The copy of those that were used is erased. */
export function secureBits(): Bits {
  const pool = new Uint8Array(POOL);
  let next = POOL;
  return {
    bytes(length) {
      if (length > POOL) return crypto.getRandomValues(new Uint8Array(length));
      if (next + length > POOL) {
        crypto.getRandomValues(pool);
        next = 0;
      }
      const taken = pool.slice(next, next + length);
      pool.fill(0, next, (next += length));
      return taken;
    },
  };
}
// --8<-- [end:secure]

/** A given stream, for conformance vectors. */
export function fixedBits(stream: Uint8Array): Bits & { readonly used: number } {
  let used = 0;
  return {
    get used() {
      return used;
    },
    bytes(length) {
      check(used + length <= stream.length, 'stream.end');
      return stream.slice(used, (used += length));
    },
  };
}

/** HMAC-SHA-256 as a stream: block i over the message and i as four bytes (README, "challenge"). */
export function keyedBits(key: Uint8Array, message: Uint8Array): Bits {
  let left = new Uint8Array();
  let block = 0;
  return {
    bytes(length) {
      while (left.length < length) {
        const counter = new Uint8Array(4);
        new DataView(counter.buffer).setUint32(0, block++);
        left = concatBytes(left, hmac(sha256, key, concatBytes(message, counter)));
      }
      const taken = left.slice(0, length);
      left = left.slice(length);
      return taken;
    },
  };
}

// A placeholder until the randomiser is here.
import { sha256 } from '@noble/hashes/sha2.js';

/** The SHA-256 of a text in hex. */
export function digestOf(text: string): string {
  const bytes = sha256(new TextEncoder().encode(text));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What an organiser's device makes: the key of a poll, and codes. A server is given hashes of them. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { ALPHABET, codeHash, hashed, questionOf } from './secrets.js';

const KEY = 32; // bytes
const RANDOM = 20; // characters of a code that are random
const GROUP = 7; // characters that stand together

/** A fresh key, in hexadecimal digits. */
export function newKey(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(KEY)));
}

/** What a server is given of the organiser's key. */
export function organiserHash(key: string): string {
  return bytesToHex(hashed('organiser', hexToBytes(key)));
}

/** A fresh code of 21 characters; the values may be given, 20 of them below 32. */
export function newCode(values: Uint8Array = crypto.getRandomValues(new Uint8Array(RANDOM))): string {
  const found = [...values].map((value) => value & 31);
  const rest = found.reduce((sum, value) => timesX(sum) ^ value, 0);
  return [...found, timesX(rest)].map((value) => ALPHABET[value]).join('');
}

/** In GF(2)[x]/(x^5 + x^2 + 1). */
function timesX(value: number): number {
  return (value << 1) ^ (value & 16 ? 0b100101 : 0);
}

/** A code in groups, for people. */
export function writtenCode(code: string): string {
  return (code.match(new RegExp(`.{1,${GROUP}}`, 'g')) ?? []).join('-');
}

/** What a server is given of a code. */
export function issuedHash(digest: string, code: string): string {
  return codeHash(questionOf(digest, code));
}

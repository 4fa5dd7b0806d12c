/** Secrets, receipts and codes (docs/wire/README.md): what lets one voter hold one report. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { check } from './refusal.js';

/** SHA-256 of a tag, a zero byte, and fields of fixed length. */
export function hashed(tag: string, ...fields: Uint8Array[]): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(`hushvote ${tag}`), new Uint8Array(1), ...fields));
}

/** What a change or a withdrawal reveals after so many changes. */
export function secretOf(seed: string, position: number): string {
  return bytesToHex(hashed('secret', hexToBytes(seed), new Uint8Array([position])));
}

/** Under which a report is kept until its secret is revealed. */
export function receiptOf(secret: string): string {
  return bytesToHex(hashed('receipt', hexToBytes(secret)));
}

/** The leaf of an entry in the tree of the board: its line without salt, behind a zero byte and the
 * salt.
 */
export function leafOf(salt: string, line: string): string {
  return bytesToHex(sha256(concatBytes(new Uint8Array(1), hexToBytes(salt), utf8ToBytes(line))));
}

/** What the device sends instead of a code, and what a challenge asks by. */
export function questionOf(digest: string, code: string): Uint8Array {
  return hashed('question', hexToBytes(digest), utf8ToBytes(readCode(code)));
}

/** What the server was given of a code. */
export function codeHash(question: Uint8Array): string {
  return bytesToHex(hashed('code', question));
}

export const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SEPARATORS = /[ \t\r\n\u00a0\u2010-\u2015\u2212-]/g;

/** The 21 characters of a code as somebody typed it. The values of its characters are coefficients,
 * in GF(2)[x]/(x^5 + x^2 + 1), of a polynomial that is 0 at x: every wrong character shows.
 */
export function readCode(text: string): string {
  const plain = text.replace(SEPARATORS, '');
  check(/^[0-9A-Za-z]{21}$/.test(plain) && !/u/i.test(plain), 'code.form');
  const code = plain.toUpperCase().replace(/[IL]/g, '1').replace(/O/g, '0');
  let rest = 0;
  for (const character of code) {
    rest = (rest << 1) ^ (rest & 16 ? 0b100101 : 0) ^ ALPHABET.indexOf(character);
  }
  check(rest === 0, 'code.check');
  return code;
}

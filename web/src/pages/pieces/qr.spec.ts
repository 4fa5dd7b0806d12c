/** QR codes against the example of the standard's correction, and whole codes of another encoder. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { correcting, qrCode } from './qr.js';

const rowsOf = (text: string, mask?: number): string[] =>
  qrCode(text, mask).map((row) => row.map((dark) => (dark ? '1' : '0')).join(''));

test('the correction of "HELLO WORLD" at level M is the known one', () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  expect(correcting(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
});

const BOARD = `https://vote.example.org/p/00112233445566778899aabbccddeeff/board#${'ab'.repeat(32)}.${'cd'.repeat(32)}`;

// Versions 1, 1, 3, 6, 9, 10, 15 and 19, and every mask: SHA-256 of the rows.
test.each([
  ['a', 2, '65c3f1acd0d1121486d49f6ffdb8136fefc3a28eb61e9c2e02a96b24cd27da23'],
  ['Grüße', 1, '49595797815d9ee0aed963285ce4b49244a2560a84c4aaa96c59b28692fa5bf3'],
  ['https://vote.example.org/p/1', 3, '705a2dd53c6b610a44d974161b41da68eac664b3297c627db4ffd0e4a68b14bf'],
  ['x'.repeat(100), 5, '103b849692b0e6f972b0f13190675e711ba08baf98535b134af3a234660c9c39'],
  ['q'.repeat(160), 4, 'f31a95ca8792156fb49922a10062710ab331faed772322a66063c742340031c7'],
  [BOARD, 0, '397c56d80fd0d032f1ca0f27d0b983f08ecce5b31258d3b6cedc6d795b5337dd'],
  ['y'.repeat(400), 7, '16db5a67b1d380bc5874c32e52233ec2acf0c59cbbfe12e46a0ef75f0af753d2'],
  ['z'.repeat(600), 6, '0aca9d043c88cc89f2e7dd49f7711ff34ba1c3422d1ebe381bbc0759cbad37fd'],
])('a whole code is the one of another encoder, mask %#', (text, mask, hash) => {
  expect(createHash('sha256').update(rowsOf(text, mask).join('\n')).digest('hex')).toBe(hash);
});

test('without a mask one of the eight is taken', () => {
  const all = Array.from({ length: 8 }, (_, mask) => rowsOf('https://vote.example.org/', mask).join());
  expect(all).toContain(rowsOf('https://vote.example.org/').join());
});

test('what is too long is refused', () => {
  expect(qrCode('x'.repeat(660)).length).toBe(97);
  expect(() => qrCode('x'.repeat(670))).toThrow('too long');
});

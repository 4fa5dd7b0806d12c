import { expect, it } from 'vitest';
import { issuedHash, newCode, newKey, organiserHash, writtenCode } from './organising.js';
import { readCode } from './secrets.js';

it('makes codes that can be read, each another', () => {
  const codes = Array.from({ length: 200 }, () => newCode());
  expect(new Set(codes).size).toBe(200);
  for (const code of codes) expect(readCode(writtenCode(code))).toBe(code);
});

it('makes the code that stands in the sentences about codes', () => {
  expect(writtenCode(newCode(Uint8Array.from({ length: 20 }, (_, i) => i)))).toBe('0123456-789ABCD-EFGHJKJ');
});

it('gives a server the hashes that Python gives', () => {
  expect(organiserHash('00'.repeat(32))).toBe('c4a70642e0acb2bc2aca086f4d6e622484e97eb81c148b98749d7b798f9fb06a');
  expect(issuedHash('ab'.repeat(32), '0123456789ABCDEFGHJKJ')).toBe('e60982d4a89cab4f31d4846e29ce1025bbf58d325c3075bb008382b3fbcf198f');
  expect(newKey()).toMatch(/^[0-9a-f]{64}$/);
});

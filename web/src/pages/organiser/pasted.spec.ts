import { describe, expect, it } from 'vitest';
import { newCode, writtenCode } from '../../organising.js';
import { codesIn } from './pasted.js';

const [one, other] = [newCode(), newCode()];
const link = (code: string): string => `https://polls.test/p/${'0'.repeat(32)}#${'a'.repeat(64)}.${writtenCode(code)}`;

describe('codes that are pasted', () => {
  it.each([
    ['codes alone', `${writtenCode(one)}\n\n  ${other.toLowerCase()}  \n`],
    ['links', `${link(one)}\n${link(other)}`],
    ['the saved list', `code,link\r\n${writtenCode(one)},${link(one)}\r\n${writtenCode(other)},${link(other)}\r\n`],
    ['the saved list with names', `name,code,link\r\n"Ann, B.",${writtenCode(one)},${link(one)}\r\nBob,${writtenCode(other)},${link(other)}`],
    ['rows of a spreadsheet', `Ann\t${writtenCode(one)}\nBob\t${writtenCode(other)}`],
    ['the same again', [one, other, one].join('\n')],
  ])('are found in %s', (_, text) => {
    expect(codesIn(text)).toEqual({ codes: [one, other], line: null });
  });

  it('are not passed over where one is mistyped', () => {
    const wrong = one.slice(0, -1) + (one.endsWith('0') ? '1' : '0');
    expect(codesIn(`${other}\n${wrong}`)).toEqual({ codes: [other], line: '2' });
    expect(codesIn('Ann Arbor').line).toBe('1');
    expect(codesIn(' \n')).toEqual({ codes: [], line: null });
  });
});

/** Which texts may be shown: a rule by code points (conformance/README.md, "Names"). */
import { check } from './refusal.js';

const REFUSED = [
  [0x0000, 0x001f],
  [0x007f, 0x009f],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x2029],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfdd0, 0xfdef],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
] as const;
export const BLANK = '\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000';
const OUTER = new RegExp(`^[${BLANK}]|[${BLANK}]$`);

/** Whether a text has a code point that cannot be seen; line ends count where they are not allowed,
 * blanks at either end.
 */
export function isHidden(text: string, lines = false): boolean {
  return OUTER.test(text) || hiddenIn(text, lines) !== undefined;
}

/** The first code point of a text that cannot be seen, blanks aside. */
export function hiddenIn(text: string, lines = false): number | undefined {
  return [...text].map((character) => character.codePointAt(0) ?? 0).find((point) => {
    if (lines && point === 0x0a) return false;
    return (point & 0xfffe) === 0xfffe || REFUSED.some(([low, high]) => low <= point && point <= high);
  });
}

/** Whether this is text of so many code points. */
export function fits(text: unknown, least: number, most: number): text is string {
  return typeof text === 'string' && [...text].length >= least && [...text].length <= most;
}

/** A name that can be shown, of a candidate or a rule. */
export function name(text: unknown, most: number): string {
  check(fits(text, 1, most), 'name.length');
  check(!isHidden(text), 'name.character');
  return text;
}

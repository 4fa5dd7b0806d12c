/** Texts as people type and paste them: tidied as the server tidies them, and what cannot be shown is named. */
import { BLANK, hiddenIn } from '../../texts.js';

const AROUND = new RegExp(`^[${BLANK}\\n\\t]+|[${BLANK}\\n\\t]+$`, 'g');

/** A text as people mean it: without blanks around it, and without what only chooses between two looks of a
 * character.
 */
export function tidied(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[\ufe0e\ufe0f]/g, '').replace(AROUND, '').normalize('NFC');
}

/** A name, and the line that it was typed in. */
export interface Typed {
  readonly name: string;
  readonly line: number;
}

/** The names of a text, one a line. */
export function typedNames(text: string): Typed[] {
  return text
    .split(/\r?\n/)
    .map((name, i) => ({ name: tidied(name), line: i + 1 }))
    .filter(({ name }) => name !== '');
}

export const JOINER = 'U+200D'; // makes one emoji of several

export interface Hidden {
  /** As everybody writes it: U+200D. */
  readonly code: string;
  /** The text with a mark where it stands. */
  readonly marked: string;
}

/** The first character of a text that cannot be seen; null if there is none. */
export function hiddenCharacter(text: string, lines = false): Hidden | null {
  const point = hiddenIn(text, lines);
  if (point === undefined) return null;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const marked = [...text].map((one) => (hiddenIn(one, lines) === undefined ? one : '\ufffd')).join('');
  return { code, marked };
}

/** Codes in what somebody pastes. */
import { isRefusal } from '../../refusal.js';
import { readCode } from '../../secrets.js';

/** The codes in a text, each once: lines of the saved list, links, or codes alone. A line with something in
 * it and no code is told by its number, so that nothing is passed over; the list's first line has names of columns.
 */
export function codesIn(text: string): { codes: string[]; line: string | null } {
  const found = new Set<string>();
  let wrong: string | null = null;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const code = codeIn(line);
    if (code) found.add(code);
    else if (line.trim() && !(i === 0 && /\bcode,link$/.test(line.trim()))) wrong ??= String(i + 1);
  }
  return { codes: [...found], line: wrong };
}

/** The code in one line: behind the digest of a link, in a cell of its own, or the line itself. */
function codeIn(line: string): string | null {
  const linked = /#[0-9a-f]{64}\.([0-9A-Za-z-]+)/.exec(line)?.[1];
  for (const text of [linked ?? '', ...line.split(/[,;\t]/), line]) {
    try {
      return readCode(text.replace(/^[\s"']+|[\s"']+$/g, ''));
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return null;
}

/** What a report says, in the words that voters are shown before they cast and find again on the board. */
import { say } from '#words';
import type { Poll } from '../../poll.js';
import { listed, tell } from './words.js';

const BREAK = '\u0000'; // between names, which have no such character

export function sentence(poll: Poll, report: unknown): string {
  return poll.words(report, (key, given = {}) => {
    if (key === 'list.comma') return BREAK;
    const values = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? listed(value.split(BREAK)) : value]),
    );
    if (key === 'group') return tell('report.group', values);
    return key === 'report.over' ? tell('report.over', values) : say(key, values);
  });
}

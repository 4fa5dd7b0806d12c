/** What a report says, in the words that voters are shown before they cast and find again on the board. */
import { say } from '#words';
import type { Poll } from '../../poll.js';
import { tell } from './words.js';

export function sentence(poll: Poll, report: unknown): string {
  return poll.words(report, (key, values) => {
    if (key === 'group') return tell('report.group', values);
    return key === 'report.over' ? tell('report.over', values) : say(key, values);
  });
}

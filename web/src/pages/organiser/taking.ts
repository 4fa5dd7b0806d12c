/** What an organiser takes along: the poll, its board and result, and all reports. */
import { button, el, paragraph } from '../pieces/dom.js';
import { saveBlob } from '../pieces/saving.js';
import type { Tried } from './acts.js';
import type { Desk } from './desk.js';
import { tellOrganiser as tell } from './said.js';

const KINDS = [
  ['csv', 'csv'],
  ['parquet', 'parquet'],
  ['board', 'jsonl'],
] as const;

export function takePart(desk: Desk, tried: Tried): HTMLElement {
  const short = desk.id.slice(0, 8);
  const file = (name: string, text: string, path: string): HTMLElement =>
    el('li', {}, el('a', { class: 'plain', href: `/api/v1/polls/${desk.id}/${path}`, download: name }, text));
  const hasResult = desk.isClosed && desk.told.standing >= desk.poll.turnout;
  const label = { csv: 'take.csv', parquet: 'take.parquet', board: 'take.board.file' } as const;
  const exports = KINDS.map(([kind, ending]) =>
    el('li', {}, button(tell(label[kind]), tried(async () => {
      saveBlob(`hushvote-${short}-${kind}.${ending}`, await desk.export(kind));
    }), { class: 'plain' })));
  return el(
    'section',
    { 'aria-labelledby': 'take' },
    el('h2', { id: 'take' }, tell('take')),
    paragraph(tell('take.how'), 'soft'),
    el(
      'ul',
      {},
      file('manifest.json', tell('take.manifest'), 'manifest'),
      ...(hasResult ? [file('board.jsonl', tell('take.board'), 'board'), file('result.json', tell('take.result'), 'result')] : []),
      ...(hasResult ? exports : []),
    ),
    ...(desk.isClosed ? [] : [paragraph(tell('take.later'), 'soft small')]),
  );
}

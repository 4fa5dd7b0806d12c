/** What an organiser takes along: the archive, and its parts one by one. */
import { Trouble } from '../pieces/api.js';
import { announce, button, el, notice, paragraph } from '../pieces/dom.js';
import { saveBlob } from '../pieces/saving.js';
import { count } from '../pieces/words.js';
import type { Tried } from './acts.js';
import { archived } from './archive.js';
import type { Desk } from './desk.js';
import { tellOrganiser as tell } from './said.js';

export function takePart(desk: Desk, tried: Tried): HTMLElement {
  const short = desk.id.slice(0, 8);
  const file = (name: string, text: string, path: string): HTMLElement =>
    el('li', {}, el('a', { class: 'plain', href: `/api/v1/polls/${desk.id}/${path}`, download: name }, text));
  const exported = (kind: 'csv' | 'parquet'): HTMLElement =>
    el('li', {}, button(tell(`take.${kind}`), tried(async () => {
      saveBlob(`hushvote-${short}.${kind}`, await desk.export(kind));
    }), { class: 'plain' }));
  const hasResult = desk.isClosed && desk.told.standing >= desk.poll.turnout;
  return el(
    'section',
    { 'aria-labelledby': 'take' },
    el('h2', { id: 'take' }, tell('take')),
    paragraph(tell(desk.isClosed ? 'take.how' : 'take.later'), 'soft'),
    desk.isClosed && archivePart(desk, tried),
    el(
      'ul',
      {},
      file('manifest.json', tell('take.manifest'), 'manifest'),
      ...(hasResult
        ? [
            file('board.jsonl', tell('take.board'), 'board'),
            file('result.json', tell('take.result'), 'result'),
            exported('csv'),
            exported('parquet'),
          ]
        : []),
    ),
  );
}

function archivePart(desk: Desk, tried: Tried): HTMLElement {
  const { standing } = desk.told;
  const said = el('div', {});
  const make = tried(async () => {
    go.disabled = true;
    const bar = el('progress', { max: standing, value: 0, 'aria-labelledby': 'archiving' });
    const counting = el('p', { id: 'archiving', class: 'soft small' });
    const progress = (done: number): void => {
      bar.value = done;
      counting.textContent = tell('take.counting', { done: count(done), all: count(standing) });
    };
    progress(0);
    said.replaceChildren(bar, counting);
    try {
      const made = await archived(desk, progress);
      saveBlob(`hushvote-${desk.id.slice(0, 8)}.zip`, made);
      const isCounted = standing >= desk.poll.turnout;
      tellOf('good', isCounted ? tell('take.archived') : tell('take.archived.few'));
    } catch (error) {
      said.replaceChildren();
      const code = error instanceof Trouble ? error.code : '';
      if (code === 'archive.board') tellOf('bad', tell('take.unsound'), tell('take.unsound.how'));
      else if (code === 'archive.changed') tellOf('warn', tell('take.changed'));
      else throw error;
    } finally {
      go.disabled = false;
    }
  });
  const tellOf = (kind: 'good' | 'warn' | 'bad', what: string, ...more: string[]): void => {
    said.replaceChildren(notice(kind, what, ...more));
    announce(what);
  };
  const go = button(tell('take.archive'), make, { class: 'main' });
  return el('div', {}, el('p', { class: 'actions' }, go), said);
}

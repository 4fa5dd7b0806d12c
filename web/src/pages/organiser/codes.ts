/** Codes: made here, saved as a list before anything is sent, and issued by their hashes. */
import { issuedHash, newCode, writtenCode } from '../../organising.js';
import { Trouble } from '../pieces/api.js';
import { announce, button, el, notice, paragraph } from '../pieces/dom.js';
import { area, field, input, typedWhole } from '../pieces/fields.js';
import { save } from '../pieces/saving.js';
import { count } from '../pieces/words.js';
import type { Tried } from './acts.js';
import { type Desk, PART } from './desk.js';
import { revokingPart } from './revoking.js';
import { tellOrganiser as tell } from './said.js';
import { printSheet } from './sheet.js';

const MOST = 50_000; // codes at once

/** A code, and for whom it is. */
export interface Invited {
  readonly code: string;
  readonly name: string;
}

/** What this page has made and the organiser may still need; nothing keeps it but this page. */
let made: readonly Invited[] = [];
let sent = 0;
let times = 0; // lists that were made on this page

window.addEventListener('beforeunload', (event) => {
  if (sent < made.length) event.preventDefault();
});

/** The part of the page about codes; `issued` is told after some were. */
export function codesPart(desk: Desk, tried: Tried, issued: () => Promise<void>): HTMLElement {
  const number = field(input('number', { inputmode: 'numeric' }), tell('codes.count'));
  const names = field(area('names', 3, { spellcheck: 'false' }), tell('codes.names'), tell('codes.names.how'));
  const result = el('div', {});
  const progress = el('p', { class: 'soft', role: 'status' });
  const form = el(
    'form',
    { novalidate: true },
    el('div', { class: 'short' }, number.element),
    names.element,
    el('button', { type: 'submit' }, tell('codes.make')),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const people = listed(names.control.value);
    const asked = number.control.value.trim();
    const many = people.length || typedWhole(asked);
    const isRight = many >= 1 && many <= MOST;
    const isBoth = people.length > 0 && asked !== '' && typedWhole(asked) !== people.length;
    const wrong = isBoth
      ? tell('codes.both', { number: asked, names: count(people.length) })
      : isRight ? null : tell('codes.wrong', { most: count(MOST) });
    if (!number.judge(wrong)) {
      number.control.focus();
      return;
    }
    made = Array.from({ length: many }, (_, i) => ({ code: newCode(), name: people[i] ?? '' }));
    sent = 0;
    times++;
    saveList(desk);
    number.control.value = names.control.value = '';
    void issue();
  });

  const issue = async (): Promise<void> => {
    form.hidden = true;
    result.replaceChildren();
    try {
      while (sent < made.length) {
        progress.textContent = tell('codes.sending', { sent: count(sent), all: count(made.length) });
        const part = made.slice(sent, sent + PART);
        const codes = part.map(({ code }) => issuedHash(desk.poll.digest, code));
        await desk.own('/codes', { method: 'POST', body: JSON.stringify({ codes }) });
        sent += part.length;
      }
      await issued().catch(() => undefined); // they are issued, whether that can be shown or not
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      progress.textContent = '';
      const again = button(tell('codes.again'), () => void issue(), { class: 'main' });
      result.replaceChildren(notice('bad', tell('codes.unsent', { code: error.code })), again);
      announce(tell('codes.unsent', { code: error.code }));
      return;
    }
    form.hidden = false;
    showMade();
  };

  const showMade = (): void => {
    progress.textContent = '';
    const done = tell('codes.done', { all: count(made.length) });
    const print = button(tell('codes.print'), () => void printed(), { class: 'main' });
    const printed = async (): Promise<void> => {
      print.disabled = true;
      await printSheet(desk, made, (drawn) => {
        progress.textContent = tell('codes.printing', { sent: count(drawn), all: count(made.length) });
      });
      progress.textContent = '';
      print.disabled = false;
    };
    const again = button(tell('codes.save'), () => saveList(desk));
    result.replaceChildren(notice('good', done, tell('codes.next')), el('p', { class: 'actions' }, print, again));
    announce(done);
  };

  if (made.length > 0 && sent === made.length) showMade();
  return el(
    'section',
    { 'aria-labelledby': 'codes' },
    el('h2', { id: 'codes' }, tell('codes')),
    paragraph(tell('codes.how'), 'soft'),
    form,
    progress,
    result,
    revokingPart(desk, tried, issued),
  );
}

const listed = (text: string): string[] => text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);

function saveList(desk: Desk): void {
  const end = times > 1 ? `-${times}` : '';
  save(`${tell('codes.file')}-${desk.id.slice(0, 8)}${end}.csv`, listOf(desk, made), 'text/csv');
}

/** The list as a spreadsheet and a mail merge read it. */
export function listOf(desk: Desk, people: readonly Invited[]): string {
  const hasNames = people.some(({ name }) => name !== '');
  const rows = people.map(({ code, name }) => {
    const written = writtenCode(code);
    return [...(hasNames ? [name] : []), written, desk.ballotLink(written)];
  });
  const columns = [...(hasNames ? ['name'] : []), 'code', 'link'];
  return [columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}

/** A cell that a spreadsheet would run as a formula gets an apostrophe in front. */
function cell(text: string): string {
  const safe = /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

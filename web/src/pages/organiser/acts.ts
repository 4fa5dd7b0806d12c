/** What cannot be taken back, or must be thought over: the closing time, closing, deleting. */
import { ask, type Choice } from '../pieces/asking.js';
import { announce, button, el, paragraph } from '../pieces/dom.js';
import { field, input, timeField, typedTime } from '../pieces/fields.js';
import { showSentence } from '../pieces/frame.js';
import { count, moment } from '../pieces/words.js';
import type { Desk } from './desk.js';
import { tellOrganiser as tell } from './said.js';

/** Makes an act a handler that says what went wrong. */
export type Tried = (act: () => Promise<void>) => () => void;

export function closingPart(desk: Desk, tried: Tried, refresh: () => Promise<void>): HTMLElement {
  const time = field(input('closes', { type: 'datetime-local' }), tell('closing.label'));
  time.control.value = timeField(desk.told.closes);
  const form = el('form', { novalidate: true, class: 'short' }, time.element, el('button', { type: 'submit' }, tell('closing.move')));
  const move = tried(async () => {
    const closes = typedTime(time.control.value);
    await desk.refresh(); // it may have been moved elsewhere
    if (!desk.isClosed && closes < desk.told.closes && !(await ask(earlier(closes, desk.told.closes)))) return;
    await desk.own('', { method: 'PATCH', body: JSON.stringify({ closes }) });
    await refresh();
    time.how.textContent = tell('closing.moved', { when: moment(closes) });
    announce(time.how.textContent);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (time.judge(Number.isNaN(typedTime(time.control.value)) ? tell('closing.wrong') : null)) move();
    else time.control.focus();
  });
  const close = tried(async () => {
    const { poll } = desk;
    await desk.refresh();
    const standing = desk.told.standing;
    const texts = [tell('close.text', { standing: count(standing) })];
    if (standing < poll.turnout) texts.push(tell('close.few', { turnout: count(poll.turnout) }));
    const choice = { title: tell('close.title'), texts, yes: tell('close.yes'), no: tell('close.no'), danger: true };
    if (!desk.isClosed) {
      if (!(await ask(choice))) return;
      await desk.own('/close', { method: 'POST', body: '{}' });
    }
    await refresh();
  });
  return el(
    'section',
    { 'aria-labelledby': 'closing' },
    el('h2', { id: 'closing' }, tell('closing')),
    form,
    el('p', { class: 'actions' }, button(tell('close'), close, { class: 'danger' })),
  );
}

/** Voters were told another time, and may come too late. */
function earlier(closes: number, before: number): Choice {
  return {
    title: tell('closing.earlier'),
    texts: [tell('closing.earlier.text', { when: moment(closes), before: moment(before) })],
    yes: tell('closing.earlier.yes'),
    no: tell('closing.earlier.no'),
    danger: true,
  };
}

export function deletePart(desk: Desk, tried: Tried): HTMLElement {
  const gone = tried(async () => {
    const { day } = (await desk.own('', { method: 'DELETE' })) as { day: string };
    desk.forgetPoll();
    showSentence(tell('deleted.title'), tell('deleted', { day }));
  });
  return el('p', { class: 'end' }, button(tell('delete'), () => confirmDelete(gone), { class: 'danger' }));
}

/** Deleting wants a word to be typed: nobody does that by mistake. */
function confirmDelete(gone: () => void): void {
  const word = tell('delete.word');
  const typed = field(input('word', { spellcheck: 'false', autocapitalize: 'off' }), tell('delete.label', { word }));
  const yes = el('button', { type: 'submit', class: 'danger', disabled: true }, tell('delete.yes'));
  const isRight = (): boolean => typed.control.value.trim().toLowerCase() === word;
  typed.control.addEventListener('input', () => (yes.disabled = !isRight()));
  const form = el(
    'form',
    { novalidate: true },
    typed.element,
    el('p', { class: 'actions' }, yes, button(tell('delete.no'), () => box.close())),
  );
  const box = el(
    'dialog',
    { 'aria-labelledby': 'deleting' },
    el('h2', { id: 'deleting' }, tell('delete.title')),
    paragraph(tell('delete.text')),
    form,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!isRight()) return;
    box.close();
    gone();
  });
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();
  typed.control.focus();
}

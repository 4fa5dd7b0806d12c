/** What stands after casting: the receipt, and how to change, withdraw or forget it. */
import { canonical } from '../../canonical.js';
import { credentialOf } from '../../state.js';
import { receiptOf, secretOf } from '../../secrets.js';
import { announce, button, type Child, el, notice, paragraph } from '../pieces/dom.js';
import { ask as choose } from '../pieces/asking.js';
import { title } from '../pieces/frame.js';
import { qrPicture } from '../pieces/qr-picture.js';
import { copy, save } from '../pieces/saving.js';
import { sentence } from '../pieces/sentence.js';
import { tell as shared, count, oddsOf } from '../pieces/words.js';
import type { Booth } from './booth.js';
import { showStep } from './frame.js';
import type { Ways } from './rank.js';
import { littleOf, tellBallot as tell } from './said.js';

export interface Acts extends Ways {
  readonly change: () => void;
  readonly withdraw: () => void;
}

/** The receipt of what stands. */
export function receiptNow({ kept: { state } }: Booth): string {
  return receiptOf(secretOf(state.seed, state.position));
}

/** Where everybody finds the receipt once the poll has closed. */
export function boardLink(booth: Booth): string {
  const { id, digest } = booth.poll;
  return `${location.origin}/p/${id}/board#${digest}.${receiptNow(booth)}`;
}

export function showStanding(booth: Booth, acts: Acts, isNew = false): void {
  const { state, checked } = booth.kept;
  const { acknowledgement } = state;
  const isChanged = state.position > 0;
  const heading = !isNew ? 'cast.stands' : isChanged ? 'cast.changed' : 'cast.title';
  const told = !acknowledgement ? 'cast.restored' : checked ? 'cast.checked' : 'cast.unchecked';
  showStep(
    booth,
    isNew ? 'cast' : null,
    title(tell(heading)),
    notice('good', tell(told)),
    ...receipt(booth),
    ...more(booth, acts),
  );
}

/** The receipt in all its forms, and what it is for. */
export function receipt(booth: Booth, use: 'cast.for' | 'withdrawn.for' | null = 'cast.for'): Child[] {
  const { poll, kept: { state } } = booth;
  const { acknowledgement } = state;
  const hex = receiptNow(booth);
  const report = lastReport(booth);
  const stem = `hushvote-${poll.id.slice(0, 8)}`;
  const said = el('span', { class: 'soft small', role: 'status' });
  const copied = async (): Promise<void> => {
    said.textContent = shared((await copy(hex)) ? 'copied' : 'copy.failed');
    announce(said.textContent);
  };
  return [
    el(
      'section',
      { class: 'card receipt', 'aria-labelledby': 'receipt' },
      el('h3', { id: 'receipt' }, tell('cast.receipt')),
      el('p', { class: 'mono hex' }, ...(hex.match(/.{8}/g) ?? []).map((part) => el('span', {}, part))),
      qrPicture(boardLink(booth), tell('cast.qr')),
      el('div', { class: 'words' },
        report !== null && paragraph(tell('cast.sent', { words: report })),
        use && paragraph(tell(use), 'soft small'),
        el('p', { class: 'actions' }, button(tell('cast.copy'), () => void copied()), said),
      ),
    ),
    el(
      'ul',
      { class: 'saving' },
      acknowledgement && el('li', {},
        button(tell('cast.ack'), () => save(`${stem}-acknowledgement.json`, canonical(acknowledgement)!)),
        el('span', { class: 'soft small' }, tell('cast.ack.how'))),
      state.standing === 'report' && el('li', {},
        button(tell('cast.credential'), () => save(`${stem}-credential.json`, canonical(credentialOf(state))!)),
        el('span', { class: 'soft small' }, tell('cast.credential.how'))),
      el('li', {}, button(tell('cast.print'), () => window.print())),
    ),
  ];
}

/** What the standing report said, if this device has drawn it. */
function lastReport(booth: Booth): string | null {
  const { sent } = booth.kept;
  return sent ? sentence(booth.poll, sent) : null;
}

function more(booth: Booth, acts: Acts): Child[] {
  const { poll, kept: { state } } = booth;
  const left = poll.changes - state.position;
  const reports = Math.min(state.spent, poll.changes) + 1;
  const change = async (): Promise<void> => {
    const values = { number: count(reports), factor: oddsOf(poll.mechanism.epsilon, reports) };
    const little = littleOf(poll, reports);
    const yes = await choose({
      title: tell('change.title'),
      texts: [tell('change.cost', values), ...(little === null ? [] : [little]), left === 1 ? tell('change.left.one') : tell('change.left.many', { number: left })],
      yes: tell('change.yes'),
      no: tell('change.no'),
    });
    if (yes) acts.change();
  };
  const withdraw = async (): Promise<void> => {
    const yes = await choose({
      title: tell('withdraw.title'),
      texts: [tell('withdraw.cost')],
      yes: tell('withdraw.yes'),
      no: tell('withdraw.no'),
      danger: true,
    });
    if (yes) acts.withdraw();
  };
  const none = poll.changes === 0 ? 'change.never' : 'change.none';
  return [
    el(
      'section',
      { class: 'more screen', 'aria-labelledby': 'more' },
      el('h3', { id: 'more' }, tell('cast.more')),
      left <= 0 && paragraph(tell(none), 'soft'),
      el(
        'div',
        { class: 'actions' },
        left > 0 && button(tell('change.button'), () => void change()),
        button(tell('withdraw.button'), () => void withdraw()),
        button(tell('forget.button'), acts.forget, { class: 'plain' }),
      ),
    ),
  ];
}

/** Codes on paper: eight a page, each with a QR code of 28 mm, and marks where to cut. */
import { writtenCode } from '../../organising.js';
import { el } from '../pieces/dom.js';
import { qrPicture } from '../pieces/qr-picture.js';
import type { Invited } from './codes.js';
import type { Desk } from './desk.js';
import { tellOrganiser as tell } from './said.js';

const PAGE = 8; // codes

/** Draw the sheet, which is seen on paper alone, and print it; `drawn` is told how far it is. */
export async function printSheet(
  desk: Desk,
  people: readonly Invited[],
  drawn: (number: number) => void,
): Promise<void> {
  document.querySelector('.sheets')?.remove();
  const sheets = el('div', { class: 'sheets' });
  for (let from = 0; from < people.length; from += PAGE) {
    drawn(from);
    sheets.append(el('div', { class: 'sheet' }, ...people.slice(from, from + PAGE).map((one) => slip(desk, one))));
    await new Promise((resolve) => setTimeout(resolve)); // let the page live meanwhile
  }
  document.body.append(sheets);
  document.documentElement.classList.add('prints-codes');
  const done = (): void => {
    document.documentElement.classList.remove('prints-codes');
    sheets.remove();
  };
  window.addEventListener('afterprint', done, { once: true });
  window.print();
}

function slip(desk: Desk, { code, name }: Invited): HTMLElement {
  const written = writtenCode(code);
  const link = desk.ballotLink(written);
  return el(
    'div',
    { class: 'slip' },
    qrPicture(link, tell('share.qr')),
    el(
      'div',
      {},
      el('p', { class: 'slip-question' }, desk.poll.question),
      name !== '' && el('p', { class: 'slip-name' }, name),
      el('p', { class: 'slip-code' }, `${tell('sheet.code')}: `, el('span', { class: 'mono' }, written)),
    ),
    el('p', { class: 'slip-how' }, tell('sheet.how')),
    el('p', { class: 'slip-link mono' }, desk.ballotLink()),
    ...['nw', 'ne', 'sw', 'se'].map((corner) => el('span', { class: `cut ${corner}`, 'aria-hidden': true })),
  );
}

/** The parts of the organiser's page, from top to bottom. */
import { Trouble } from '../pieces/api.js';
import { announce, button, type Child, el, notice, paragraph, present, show } from '../pieces/dom.js';
import { head, inLanguage, page } from '../pieces/frame.js';
import { isDurable } from '../pieces/keeping.js';
import { qrPicture } from '../pieces/qr-picture.js';
import { copy, save } from '../pieces/saving.js';
import { count, moment, tell as shared } from '../pieces/words.js';
import { closingPart, deletePart } from './acts.js';
import { codesPart } from './codes.js';
import type { Desk } from './desk.js';
import { hoursOf } from './hours.js';
import { tellOrganiser as tell } from './said.js';
import { takePart } from './taking.js';

const part = (id: string, title: string, ...content: Child[]): HTMLElement =>
  el('section', { 'aria-labelledby': id }, el('h2', { id }, title), ...content);

export function showDesk(desk: Desk): void {
  const { poll } = desk;
  const about = el('p', { class: 'soft' });
  const deletes = el('p', {});
  const turnout = el('div', {});
  const log = el('ul', { class: 'log' });
  const result = el('div', {});
  const tellAll = (): void => {
    about.textContent = desk.isClosed
      ? tell('closed.at', { when: moment(desk.closedAt) })
      : tell('closes', { when: moment(desk.told.closes) });
    const until = desk.told.kept_until;
    deletes.hidden = until === null;
    if (until !== null) deletes.textContent = tell(desk.isClosed ? 'deletes' : 'deletes.planned', { when: moment(until) });
    turnout.replaceChildren(...turnoutOf(desk));
    log.replaceChildren(...logOf(desk));
    result.replaceChildren(...present([desk.isClosed && resultPart(desk)]));
  };
  const refresh = async (): Promise<void> => {
    const wasClosed = desk.isClosed;
    await desk.refresh();
    if (desk.isClosed === wasClosed) tellAll();
    else showDesk(desk);
  };
  const wrong = el('div', { role: 'alert' });
  const tried = (act: () => Promise<void>) => (): void => {
    wrong.replaceChildren();
    act().catch((error: unknown) => {
      if (!(error instanceof Trouble)) throw error;
      const text = error.status === 0 ? tell('failed.unreached') : tell('failed', { code: error.code, detail: error.detail });
      wrong.replaceChildren(notice('bad', text));
    });
  };
  tellAll();
  show(
    page(),
    head(el('span', { class: 'soft' }, tell('for.you'))),
    el('div', { class: 'organiser' },
      el('h1', {}, poll.question),
      about,
      deletes,
      wrong,
      keyPart(desk),
      result,
      part('turnout', tell('turnout'), turnout, el('p', {}, button(tell('refresh'), tried(refresh)))),
      !desk.isClosed && sharePart(desk),
      !desk.isClosed && poll.access === 'codes' && codesPart(desk, tried, refresh),
      !desk.isClosed && closingPart(desk, tried, refresh),
      takePart(desk, tried),
      part('log', tell('log'), paragraph(tell('log.how'), 'soft'), log),
      deletePart(desk, tried),
    ),
  );
}

/** The link is the only way back: it must be kept somewhere before this page is left. */
function keyPart(desk: Desk): HTMLElement {
  const place = el('div', { class: 'card key' });
  const fill = (): void => {
    const box = el('input', { type: 'checkbox', id: 'keep' });
    box.checked = desk.isKept;
    box.addEventListener('change', () => {
      if (box.checked) desk.keepKey();
      else desk.dropKey();
      fill();
      announce(box.checked ? tell('key.kept', { address: location.pathname }) : tell('key.forgotten'));
      place.querySelector('input')?.focus();
    });
    const address = location.origin + location.pathname;
    place.replaceChildren(...present([
      el('h2', {}, tell('key.title')),
      paragraph(tell('key.text')),
      el('p', { class: 'actions' },
        copying(tell('key.copy'), () => desk.organiserLink),
        button(tell('key.save'), () => save(`hushvote-${desk.id.slice(0, 8)}.txt`, `${desk.organiserLink}\n`, 'text/plain'))),
      isDurable() && el('label', { class: 'tick' }, box, el('span', {}, tell('key.keep'))),
      desk.isKept && paragraph(tell('key.kept', { address }), 'soft small'),
    ]));
  };
  fill();
  return place;
}

/** A button that copies, and says so. */
function copying(label: string, text: () => string, kind = ''): HTMLElement {
  const said = el('span', { class: 'soft small', role: 'status' });
  const copied = async (): Promise<void> => {
    said.textContent = shared((await copy(text())) ? 'copied' : 'copy.failed');
  };
  return el('span', { class: 'copying' }, button(label, () => void copied(), { class: kind }), said);
}

function turnoutOf({ poll, told, isClosed, closedAt }: Desk): HTMLElement[] {
  const { standing } = told;
  const missing = poll.turnout - standing;
  const bar = el('progress', {
    max: poll.turnout,
    value: Math.min(standing, poll.turnout),
    'aria-label': tell('turnout.bar', { standing: count(standing), turnout: count(poll.turnout) }),
  });
  const rows: [string, number][] = [
    [tell('turnout.standing'), standing],
    [tell('turnout.cast'), told.casts],
    [tell('turnout.changes'), told.changes],
    [tell('turnout.withdrawals'), told.withdrawals],
    ...(told.erasures ? [[tell('turnout.erasures'), told.erasures] as [string, number]] : []),
    ...(told.codes ? [[tell('turnout.issued'), told.codes.issued] as [string, number]] : []),
    ...(told.codes?.revoked ? [[tell('turnout.revoked'), told.codes.revoked] as [string, number]] : []),
  ];
  return [
    bar,
    paragraph(missing > 0
      ? tell(isClosed ? 'turnout.missed' : 'turnout.needed', { turnout: count(poll.turnout), missing: count(missing) })
      : tell('turnout.enough')),
    el('dl', { class: 'numbers' }, ...rows.map(([name, number]) =>
      el('div', {}, el('dt', {}, name), el('dd', {}, count(number))))),
    ...hoursOf(told.hours, isClosed ? closedAt : Date.now() / 1000),
    ...(isClosed ? [] : [paragraph(tell('turnout.now', { when: moment(Date.now() / 1000) }), 'soft small')]),
  ];
}

function sharePart(desk: Desk): HTMLElement {
  const link = desk.ballotLink();
  return part(
    'share',
    tell('share'),
    paragraph(tell(desk.poll.access === 'codes' ? 'share.codes' : 'share.link')),
    el('div', { class: 'card share' },
      qrPicture(link, tell('share.qr')),
      el('div', {},
        el('p', { class: 'mono' }, link),
        el('p', { class: 'actions' }, copying(tell('share.copy'), () => link, 'main'),
          el('a', { class: 'button', href: link }, tell('share.open'))))),
  );
}

function resultPart({ id, poll, told }: Desk): HTMLElement {
  const values = { turnout: count(poll.turnout), standing: count(told.standing) };
  return told.standing < poll.turnout
    ? notice('', tell('closed'), tell('result.few', values))
    : el('p', { class: 'actions' }, el('a', { class: 'button main', href: inLanguage(`/p/${id}/result`) }, tell('result.see')));
}

function logOf({ told }: Desk): HTMLElement[] {
  return told.log.map((line) => {
    const event = String(line.event);
    const what = event === 'extended'
      ? tell('log.extended', { when: moment(Number(line.closes)) })
      : event === 'issued'
        ? tell('log.issued', { codes: count(Number(line.codes)) })
        : event === 'revoked'
          ? tell('log.revoked', { asked: count(Number(line.asked)) })
          : event === 'opened' || event === 'closed'
            ? tell(`log.${event}`)
            : tell('log.other', { event });
    return el('li', {}, el('span', { class: 'soft' }, moment(Number(line.at))), ' ', what);
  });
}

/** What stands around every step of the ballot. */
import { button, type Child, el, notice, paragraph, show } from '../pieces/dom.js';
import { isDurable } from '../pieces/keeping.js';
import { steps } from '../pieces/steps.js';
import { moment } from '../pieces/words.js';
import type { Booth } from './booth.js';
import { tellBallot as tell } from './said.js';
import { openSecrecy } from './secrecy.js';

export const page = (): HTMLElement => document.getElementById('page')!;

export const STEPS = ['rank', 'check', 'leaves', 'cast'] as const;

/** Show one step: the question above it, what is done in it, and the one button that matters below. */
export function showStep(booth: Booth, step: (typeof STEPS)[number] | null, ...content: Child[]): void {
  const { poll } = booth;
  const isFirst = step === 'rank';
  show(
    page(),
    top(booth),
    el('h1', { class: isFirst ? undefined : 'lesser' }, poll.question),
    isFirst && poll.description !== '' && paragraph(poll.description, 'lines'),
    (isFirst || step === null) && el('p', { id: 'about', class: 'soft small' }, about(booth)),
    step !== null && steps(tell('steps'), STEPS.map((one) => tell(`step.${one}`)), STEPS.indexOf(step)),
    isFirst && !isDurable() && notice('warn', tell('no.storage')),
    ...content,
  );
}

function top(booth: Booth): HTMLElement {
  return el(
    'header',
    { class: 'top screen' },
    el('span', { class: 'mark-word' }, 'hushvote'),
    button(tell('secret'), () => openSecrecy(booth), { class: 'plain' }),
  );
}

/** What the server tells of a poll came later than the poll itself. */
export function tellAbout(booth: Booth): void {
  const line = document.getElementById('about');
  if (line) line.textContent = about(booth);
}

function about({ poll, told }: Booth): string {
  const seats = poll.seats === 1 ? tell('seats.one') : tell('seats.many', { seats: poll.seats });
  if (!told) return seats;
  const isOver = told.state === 'closed';
  const closed = told.log.find(({ event }) => event === 'closed')?.at; // it may have been earlier
  const when = moment(isOver ? (closed ?? told.closes) : told.closes);
  return `${seats} ${tell(isOver ? 'closed.at' : 'closes', { when })}`;
}

/** The title of a step, which those who hear the page are led to. */
export const title = (text: string): HTMLElement => el('h2', { 'data-title': true }, text);

/** The bar at the bottom: what is said there, and what can be done. */
export function bar(...content: Child[]): HTMLElement {
  return el('div', { class: 'bar screen' }, ...content);
}

/** Nothing but a sentence, what it means, and one action. */
export function showSentence(what: string, text: string, ...actions: Child[]): void {
  show(
    page(),
    el('header', { class: 'top screen' }, el('span', { class: 'mark-word' }, 'hushvote')),
    el('section', { class: 'sentence' }, el('h1', {}, what), paragraph(text), el('div', { class: 'actions' }, ...actions)),
  );
}

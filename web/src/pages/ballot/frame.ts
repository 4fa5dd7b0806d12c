/** What stands around every step of the ballot. */
import { button, type Child, el, notice, paragraph, show } from '../pieces/dom.js';
import { head, page } from '../pieces/frame.js';
import { isDurable } from '../pieces/keeping.js';
import { steps } from '../pieces/steps.js';
import { moment } from '../pieces/words.js';
import type { Booth } from './booth.js';
import { tellBallot as tell } from './said.js';
import { openSecrecy } from './secrecy.js';

export const STEPS = ['rank', 'check', 'leaves', 'cast'] as const;

/** Show one step: the question above it, what is done in it, and the one button that matters below. */
export function showStep(booth: Booth, step: (typeof STEPS)[number] | null, ...content: Child[]): void {
  const { poll } = booth;
  const isFirst = step === 'rank';
  show(
    page(),
    head(button(tell('secret'), () => openSecrecy(booth), { class: 'plain' })),
    el('h1', { class: isFirst ? undefined : 'lesser' }, poll.question),
    isFirst && poll.description !== '' && paragraph(poll.description, 'lines'),
    (isFirst || step === null) && el('p', { id: 'about', class: 'soft small' }, about(booth)),
    step !== null && steps(tell('steps'), STEPS.map((one) => tell(`step.${one}`)), STEPS.indexOf(step)),
    isFirst && !isDurable() && notice('warn', tell('no.storage')),
    ...content,
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

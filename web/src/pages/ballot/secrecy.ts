/** "Is my vote secret?": who sees what in this poll, what the bounds are, and what is not protected. */
import { el, paragraph } from '../pieces/dom.js';
import { open } from '../pieces/asking.js';
import { protectionOf } from '../pieces/protection.js';
import { count, epsilonOf, oddsOf, roundedUp } from '../pieces/words.js';
import type { Booth } from './booth.js';
import { littleOf, tellBallot as tell } from './said.js';

export function openSecrecy({ poll, told }: Booth): void {
  const { epsilon } = poll.mechanism;
  const values = { epsilon: epsilonOf(epsilon), factor: oddsOf(epsilon) };
  const crowd = told?.crowd_epsilon ?? null;
  const turnout = count(poll.live || poll.turnout);
  const hidden = crowd === null
    ? tell(poll.access === 'link' ? 'secret.public.none' : 'secret.public.unknown')
    : tell('secret.public.crowd', { turnout, factor: oddsOf(crowd), epsilon: roundedUp(crowd) });
  const organiser = poll.mechanism.needsQuestion ? 'asks' : poll.access;
  const seen: [string, string][] = [
    [tell('secret.you'), tell('secret.you.text')],
    [tell('secret.operator'), tell('secret.operator.text', values)],
    [tell('secret.organiser'), tell(`secret.organiser.${organiser}`)],
    [tell('secret.public'), hidden],
  ];
  const number = 1 + poll.changes;
  const all = { number, factor: oddsOf(epsilon, number) };
  const not = [
    tell('secret.not.voted'),
    tell('secret.not.device'),
    ...(poll.changes ? [[tell('secret.not.more', all), littleOf(poll, number)].filter(Boolean).join(' ')] : []),
    tell('secret.not.sold'),
  ];
  const protection = protectionOf(epsilon);
  const script = document.querySelector('script[integrity]')?.getAttribute('integrity') ?? '';
  open(
    tell('secret.title'),
    paragraph(tell(protection === 'much' ? 'secret.short' : `secret.short.${protection}`, values)),
    el('h3', {}, tell('secret.who')),
    el('dl', {}, ...seen.flatMap(([who, what]) => [el('dt', {}, who), el('dd', {}, what)])),
    el('h3', {}, tell('secret.not')),
    el('ul', {}, ...not.map((text) => el('li', {}, text))),
    el('h3', {}, tell('secret.script')),
    paragraph(tell('secret.script.text'), 'soft'),
    el('p', { class: 'mono' }, hexOf(script)),
  );
}

/** The hash as `static.json` lists it. */
function hexOf(integrity: string): string {
  const bytes = atob(integrity.replace('sha256-', ''));
  return [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

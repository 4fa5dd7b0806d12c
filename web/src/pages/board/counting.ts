/** "Count the whole poll again": one button, progress, and what was checked and what not. */
import type { Poll } from '../../poll.js';
import { askJson } from '../pieces/api.js';
import { announce, button, type Child, el, notice, paragraph, present } from '../pieces/dom.js';
import { count, written } from '../pieces/words.js';
import { bytesOf, linesIn } from '../pieces/lines.js';
import { type Check, CHECKS, isSound, type Published, type Recount, recount } from '../pieces/recount.js';
import { tellBoard as tell, whyNot } from './said.js';

export function recounting(poll: Poll, standing: number): HTMLElement {
  const answer = el('div', { class: 'answer' });
  const go = button(tell('count.button'), () => void run(), { class: 'main' });
  const run = async (): Promise<void> => {
    go.disabled = true;
    const bar = el('progress', { max: standing, value: 0, 'aria-labelledby': 'counting' });
    const says = el('p', { id: 'counting', class: 'soft' });
    const progress = (done: number): void => {
      bar.value = done;
      says.textContent = tell('counting', { done: count(Math.min(done, standing)), all: count(standing) });
    };
    progress(0);
    announce(says.textContent);
    answer.replaceChildren(bar, says);
    try {
      const published = (await askJson(`/polls/${poll.id}/result`)) as Published;
      const found = await recount(poll, linesIn(bytesOf(poll.id)), published, progress);
      answer.replaceChildren(...present(told(poll, found)));
      announce(verdict(found));
    } catch (error) {
      const [what, means] = whyNot(error);
      answer.replaceChildren(notice('bad', what, means));
      announce(what);
    }
    go.disabled = false;
  };
  return el(
    'section',
    { 'aria-labelledby': 'count' },
    el('h2', { id: 'count' }, tell('count')),
    paragraph(tell('count.says')),
    el('p', { class: 'actions' }, go),
    answer,
  );
}

function verdict(found: Recount): string {
  return isSound(found) ? tell('holds', { standing: count(found.n) }) : tell('breaks');
}

function told(poll: Poll, found: Recount): Child[] {
  const rows = CHECKS.filter((one) => found.checks.get(one) !== undefined).map((one) => row(one, found));
  return [
    isSound(found) ? notice('good', verdict(found)) : notice('bad', verdict(found), tell('breaks.says')),
    el('h3', {}, tell('checked')),
    el('ul', { class: 'checks' }, ...rows),
    el('h3', {}, tell('unchecked')),
    el(
      'ul',
      { class: 'checks' },
      ...unchecked(found).map(open),
      open(tell('unchecked.script')),
    ),
    ...(isSound(found) ? scores(poll, found) : []),
  ];
}

/** What nobody can tell here; of a board without its first line that is everything else. */
function unchecked({ checks, digest }: Recount): string[] {
  if (digest === '') return [tell('unchecked.rest')];
  return [
    ...(checks.get('signed') === undefined ? [tell('unchecked.signed')] : []),
    tell('unchecked.intervals'),
    tell('unchecked.copies', { digest }),
    tell('unchecked.omitted'),
  ];
}

function row(check: Check, { checks, line }: Recount): HTMLElement {
  const holds = checks.get(check) === true;
  const said = holds ? tell(`check.${check}`) : tell(`check.${check}.not`, { line: line ?? 0 });
  return el(
    'li',
    {},
    el('span', { class: `sign ${holds ? 'good' : 'bad'}`, 'aria-hidden': true }, holds ? '✓' : '✗'),
    el('span', {}, said),
  );
}

function open(said: string): HTMLElement {
  return el('li', {}, el('span', { class: 'sign soft', 'aria-hidden': true }, '–'), el('span', {}, said));
}

/** The scores that were counted here, best first. */
function scores({ candidates }: Poll, found: Recount): Child[] {
  const order = candidates.map((_, j) => j).sort((a, b) => found.scores[b]! - found.scores[a]!);
  const rows = order.map((j) =>
    el('tr', {}, el('th', { scope: 'row' }, candidates[j]), el('td', {}, written(found.scores[j]!.toFixed(4)))),
  );
  return [
    el('h3', { id: 'counted' }, tell('figures')),
    el('table', { class: 'scores', 'aria-labelledby': 'counted' }, el('tbody', {}, ...rows)),
  ];
}

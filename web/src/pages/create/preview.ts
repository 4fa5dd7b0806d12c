/** The ballot as voters will see it, beside the form. */
import { RankingList } from '../ballot/ranking.js';
import { tellBallot } from '../ballot/said.js';
import { el, paragraph } from '../pieces/dom.js';
import { count } from '../pieces/words.js';
import { tellCreate as tell } from './said.js';

const MOST = 64; // candidates that a poll may have; a longer list is refused, and need not be drawn

export class Preview {
  private readonly question = el('h3', { class: 'asked' });
  private readonly description = el('p', { class: 'lines' });
  private readonly seats = el('p', { class: 'soft small' });
  private readonly list = el('div');
  private names = '';
  readonly element = el(
    'section',
    { class: 'preview', 'aria-labelledby': 'preview' },
    el('h2', { id: 'preview' }, tell('preview')),
    paragraph(tell('preview.how'), 'soft small'),
    el('div', { class: 'card paper' }, this.question, this.description, this.seats, this.list),
    el('p', { id: 'handle-how', hidden: true }, tellBallot('rank.handle.how')),
  );

  show(question: string, description: string, candidates: readonly string[], seats: number): void {
    this.question.textContent = question || tell('preview.question');
    this.description.textContent = description;
    this.description.hidden = description === '';
    this.seats.textContent = seats > 1
      ? tellBallot('seats.many', { seats: count(seats) })
      : tellBallot('seats.one');
    const shown = candidates.slice(0, MOST);
    const names = JSON.stringify(shown);
    if (names === this.names) return;
    this.names = names;
    if (shown.length < 2) {
      this.list.replaceChildren(paragraph(tell('preview.nobody'), 'soft'));
      return;
    }
    const order = shown.map((_, j) => j);
    const list = new RankingList({ names: shown, order, ranking: [], changed: () => undefined });
    this.list.replaceChildren(list.element);
  }
}

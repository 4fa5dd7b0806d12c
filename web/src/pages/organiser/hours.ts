/** Votes by the hour: as bars, and as a table for whoever does not see them. */
import { el, paragraph, svg } from '../pieces/dom.js';
import { count, moment } from '../pieces/words.js';
import { tellOrganiser as tell } from './said.js';

export interface Hour {
  /** When it began, in seconds. */
  readonly at: number;
  readonly casts: number;
}

const HOUR = 3600; // seconds
const STEPS = [1, 3, 6, 12, 24, 48, 168]; // hours that a bar may stand for
const [FEWEST, MOST] = [12, 48]; // bars: fewer would be walls
const HEIGHT = 96;

/** A bar for each step, from the first vote on or before; `until` is now, or when the poll was closed. */
export function barsOf(hours: readonly Hour[], until: number): { step: number; bars: Hour[] } {
  const last = Math.max(hours.at(-1)!.at, Math.floor(until / HOUR) * HOUR);
  const first = Math.min(hours[0]!.at, last - (FEWEST - 1) * HOUR);
  const span = (last - first) / HOUR + 1;
  const step = STEPS.find((one) => span / one <= MOST) ?? Math.ceil(span / MOST);
  const bars = Array.from({ length: Math.ceil(span / step) }, (_, i) => ({ at: first + i * step * HOUR, casts: 0 }));
  for (const { at, casts } of hours) bars[Math.floor((at - first) / HOUR / step)]!.casts += casts;
  return { step, bars };
}

/** Nothing where nobody has voted. */
export function hoursOf(hours: readonly Hour[], until: number): HTMLElement[] {
  if (hours.length === 0) return [];
  const { step, bars } = barsOf(hours, until);
  const most = Math.max(...bars.map(({ casts }) => casts));
  const title = step === 1 ? tell('hours') : tell('hours.step', { step });
  const drawn = bars.map(({ casts }, i) => {
    const height = casts && Math.max(2, (HEIGHT * casts) / most);
    return svg('rect', { x: i + 0.1, y: HEIGHT - height, width: 0.8, height });
  });
  const given = { viewBox: `0 0 ${bars.length} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': true };
  const rows = hours.map(({ at, casts }) =>
    el('tr', {}, el('th', { scope: 'row' }, moment(at)), el('td', {}, count(casts))));
  return [
    el('h3', { id: 'hours' }, title),
    el('div', { class: 'hours' }, svg('svg', given, ...drawn), el('span', { class: 'soft small most' }, count(most))),
    el('p', { class: 'soft small ends' }, el('span', {}, moment(bars[0]!.at)), el('span', {}, moment(until))),
    el('details', {}, el('summary', {}, tell('hours.table')),
      el('table', { class: 'scores', 'aria-labelledby': 'hours' }, el('tbody', {}, ...rows)),
      paragraph(tell('hours.you'), 'soft small')),
  ];
}

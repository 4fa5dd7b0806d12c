/** The list of candidates: those that are ranked, best first, and the others in the voter's own order. */
import { announce, button, el } from '../pieces/dom.js';
import { icon } from '../pieces/frame.js';
import { draggable } from './dragging.js';
import { tellBallot as tell } from './said.js';

interface Row {
  readonly item: HTMLElement;
  readonly pick: HTMLButtonElement;
  /** What a tap does, for those who hear it. */
  readonly does: HTMLElement;
  readonly place: HTMLElement;
  readonly up: HTMLButtonElement;
  readonly down: HTMLButtonElement;
  readonly handle: HTMLButtonElement;
}

export interface Listed {
  readonly names: readonly string[];
  readonly order: readonly number[];
  readonly ranking: readonly number[];
  changed(ranking: readonly number[]): void;
}

export class RankingList {
  readonly element: HTMLElement;
  private ranking: number[];
  private readonly rows: readonly Row[];
  private readonly ranked = el('ol', { class: 'ranked', 'aria-label': tell('rank.ranked') });
  private readonly unranked = el('ul', { class: 'unranked', 'aria-label': tell('rank.unranked') });
  private readonly nobody = el('p', { class: 'nobody soft' }, tell('rank.none'));
  private readonly rest = el('h3', { class: 'rest' });
  private readonly mark = el('li', { class: 'mark', 'aria-hidden': true });

  constructor(private readonly listed: Listed) {
    this.ranking = [...listed.ranking];
    this.rows = listed.names.map((_, j) => this.row(j));
    this.element = el('div', { class: 'ranking' }, this.nobody, this.ranked, this.rest, this.unranked);
    this.show();
  }

  clear(): void {
    this.alter(() => (this.ranking = []));
    this.listed.changed(this.ranking);
  }

  // --- what is done -------------------------------------------------------------------------------

  /** Put a candidate at a place, from 0; null takes it out. */
  private put(j: number, place: number | null): void {
    const before = this.ranking.indexOf(j);
    if (place === before || (place === null && before < 0)) return;
    this.alter(() => {
      this.ranking = this.ranking.filter((other) => other !== j);
      if (place !== null) this.ranking.splice(Math.max(0, place), 0, j);
    });
    const name = this.listed.names[j]!;
    const now = this.ranking.indexOf(j);
    announce(
      now < 0
        ? tell('rank.said.out', { name })
        : tell('rank.said', { name, place: now + 1, ranked: this.ranking.length }),
    );
    this.listed.changed([...this.ranking]);
  }

  /** Tap: append, or take out. The next one is at hand for those who use keys. */
  private toggle(j: number): void {
    const isRanked = this.ranking.includes(j);
    const here = this.open().indexOf(j);
    this.put(j, isRanked ? null : this.ranking.length);
    const open = this.open();
    const next = isRanked ? j : (open[here] ?? open.at(-1) ?? j);
    this.rows[next]!.pick.focus({ preventScroll: true });
  }

  private move(j: number, by: number, control: HTMLButtonElement): void {
    const place = this.ranking.indexOf(j);
    const to = place < 0 ? this.ranking.length : Math.min(Math.max(place + by, 0), this.ranking.length - 1);
    this.put(j, to);
    const { up, down } = this.rows[j]!;
    (control.disabled ? (control === up ? down : up) : control).focus();
  }

  private keys(j: number, event: KeyboardEvent): void {
    const { handle } = this.rows[j]!;
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step !== undefined) this.move(j, step, handle);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.put(j, null);
    else return;
    event.preventDefault();
    handle.focus();
  }

  /** From row to row. */
  private walk(j: number, event: KeyboardEvent): void {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    const all = [...this.ranking, ...this.open()];
    const next = all[all.indexOf(j) + step];
    if (next === undefined) return;
    event.preventDefault();
    this.rows[next]!.pick.focus();
  }

  private open(): number[] {
    return this.listed.order.filter((j) => !this.ranking.includes(j));
  }

  // --- what is shown ------------------------------------------------------------------------------

  private row(j: number): Row {
    const name = this.listed.names[j]!;
    const place = el('span', { class: 'place' });
    const does = el('span', { class: 'unseen' });
    const pick = el(
      'button',
      { type: 'button', class: 'pick', on: { click: () => this.toggle(j), keydown: (event) => this.walk(j, event) } },
      place,
      el('span', { class: 'name' }, name),
      does,
    );
    const mover = (label: string, path: string, by: number): HTMLButtonElement => {
      const made = button('', () => this.move(j, by, made), { class: 'mover', 'aria-label': label });
      made.append(icon(path));
      return made;
    };
    const handle = el(
      'button',
      {
        type: 'button',
        class: 'handle',
        'aria-label': tell('rank.handle', { name }),
        'aria-describedby': 'handle-how',
        on: { keydown: (event) => this.keys(j, event) },
      },
      icon('M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01'),
    );
    const up = mover(tell('rank.up', { name }), 'M12 19V5M6 11l6-6 6 6', -1);
    const down = mover(tell('rank.down', { name }), 'M12 5v14M6 13l6 6 6-6', 1);
    const item = el('li', { class: 'row' }, pick, up, down, handle);
    draggable(handle, item, {
      rows: () => this.ranking.map((one) => this.rows[one]!.item),
      end: () => this.rest.getBoundingClientRect().bottom,
      mark: (at) => this.showMark(j, at),
      drop: (at) => this.put(j, at),
    });
    return { item, pick, does, place, up, down, handle };
  }

  private showMark(j: number, at: number | null): void {
    this.mark.remove();
    if (at === null) return;
    const others = this.ranking.filter((one) => one !== j).map((one) => this.rows[one]!.item);
    if (at < others.length) others[at]!.before(this.mark);
    else if (others.length) others.at(-1)!.after(this.mark);
    else this.ranked.append(this.mark);
  }

  /** Change the ranking, and let every row be seen on its way to where it goes. */
  private alter(change: () => void): void {
    const before = this.rows.map(({ item }) => item.getBoundingClientRect().top);
    change();
    this.show();
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const [j, { item }] of this.rows.entries()) {
      const way = before[j]! - item.getBoundingClientRect().top;
      if (way) item.animate([{ transform: `translateY(${way}px)` }, { transform: 'none' }], { duration: 150, easing: 'ease-out' });
    }
  }

  private show(): void {
    const open = this.open();
    const last = this.ranking.length - 1;
    for (const [j, { item, does, place, up, down }] of this.rows.entries()) {
      const rank = this.ranking.indexOf(j);
      item.classList.toggle('is-ranked', rank >= 0);
      place.textContent = rank < 0 ? '' : String(rank + 1);
      does.textContent = rank < 0 ? tell('rank.add', { place: this.ranking.length + 1 }) : tell('rank.take');
      up.hidden = down.hidden = rank < 0;
      up.disabled = rank <= 0;
      down.disabled = rank < 0 || rank === last;
    }
    this.ranked.replaceChildren(...this.ranking.map((j) => this.rows[j]!.item));
    this.unranked.replaceChildren(...open.map((j) => this.rows[j]!.item));
    this.nobody.hidden = this.ranking.length > 0;
    this.rest.textContent = open.length ? tell('rank.unranked') : tell('rank.rest');
  }
}

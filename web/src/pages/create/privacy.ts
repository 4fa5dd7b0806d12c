/** How secret a vote is: three levels or a number, each with what it means, asked of the server. */
import type { Fraction } from '../../exact.js';
import { askJson } from '../pieces/api.js';
import { announce, button, el, notice, paragraph, present } from '../pieces/dom.js';
import { choice, field, input } from '../pieces/fields.js';
import { littleTogether, protectionOf } from '../pieces/protection.js';
import { count, epsilonOf, oddsOf, written } from '../pieces/words.js';
import { signs } from '#words';
import { tellCreate as tell } from './said.js';

const LEVELS = ['1', '3', '5'] as const;
const OWN = 'own';
const GAINED = 0.9; // of the local epsilon; a crowd epsilon above it is nothing to speak of
const PAUSE = 400; // milliseconds after the last key

interface Plan {
  readonly epsilon: number;
  readonly crowd_epsilon: number | null;
  readonly lead: number | null;
  readonly most: number;
  readonly low: number;
  readonly high: number;
  readonly plenty: number;
}

/** What the meaning of a level depends on. */
export interface Asked {
  readonly candidates: number;
  readonly voters: number;
  readonly rule: string;
  readonly seats: number;
  readonly access: 'codes' | 'link';
  readonly turnout: number;
}

export class Privacy {
  readonly element: HTMLElement;
  private readonly own = field(input('own', { inputmode: 'decimal' }), tell('own'), tell('own.how'));
  private readonly status = el('p', { class: 'soft small', role: 'status' });
  private readonly warning = el('div', { role: 'status' });
  private readonly radios = new Map<string, HTMLInputElement>();
  private readonly meanings = new Map<string, HTMLElement>();
  private plans = new Map<string, Plan | null>();
  private asked: Asked | null = null;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private running: { readonly body: string; readonly stop: AbortController } | null = null;
  private known = '';
  private changes = 0;

  constructor() {
    const choices = [...LEVELS, OWN].map((level) => {
      const radio = el('input', { type: 'radio', name: 'privacy', value: level });
      radio.checked = level === '1';
      radio.addEventListener('change', () => this.chosen());
      const meaning = el('div', { class: 'meaning' });
      this.radios.set(level, radio);
      this.meanings.set(level, meaning);
      return choice(radio, tell(`level.${level}` as 'level.1'), level === OWN && this.own.element, meaning);
    });
    this.own.element.hidden = true;
    this.own.control.addEventListener('input', () => {
      this.ask(this.asked);
      this.warn();
    });
    this.element = el(
      'fieldset',
      { class: 'secrecy' },
      el('legend', {}, tell('privacy')),
      paragraph(tell('privacy.how'), 'soft'),
      ...choices,
      this.status,
      this.warning,
    );
  }

  private get level(): string {
    return [...this.radios].find(([, radio]) => radio.checked)?.[0] ?? '1';
  }

  /** The epsilon that was chosen, as a number is written everywhere; null if there is none. */
  get epsilon(): string | null {
    return this.level === OWN ? typedEpsilon(this.own.control.value) : this.level;
  }

  /** Whether an epsilon is chosen; says so if not. */
  judge(): boolean {
    return this.own.judge(this.epsilon === null ? tell('wrong.epsilon', { example: `1${signs.decimal}5` }) : null);
  }

  get control(): HTMLInputElement {
    return this.own.control;
  }

  private chosen(): void {
    this.own.element.hidden = this.level !== OWN;
    this.own.judge(null);
    if (this.level === OWN) this.own.control.focus();
    this.ask(this.asked);
    this.warn();
  }

  /** Votes may be changed so often. */
  allow(changes: number): void {
    this.changes = changes;
    this.warn();
  }

  /** Ask what all levels mean, a moment after the last change. */
  ask(asked: Asked | null): void {
    this.asked = asked;
    const epsilons = [...new Set([...LEVELS, ...(this.level === OWN && this.epsilon !== null ? [this.epsilon] : [])])];
    const body = JSON.stringify({ ...asked, epsilons });
    if (this.running?.body === body) return;
    clearTimeout(this.waiting);
    const unwanted = this.running;
    this.running = null;
    unwanted?.stop.abort();
    if (asked === null) {
      this.known = '';
      this.plans.clear();
      this.show();
      this.status.textContent = '';
    } else if (body !== this.known) {
      this.status.textContent = tell('computing');
      this.waiting = setTimeout(() => void this.compute(body, epsilons), PAUSE);
    } else this.status.textContent = '';
  }

  private async compute(body: string, epsilons: readonly string[]): Promise<void> {
    const running = { body, stop: new AbortController() };
    this.running = running;
    try {
      const { plans } = (await askJson('/plans', { method: 'POST', body, stop: running.stop })) as { plans: (Plan | null)[] };
      if (this.running !== running) return;
      this.plans = new Map(epsilons.map((epsilon, i) => [epsilon, plans[i] ?? null]));
      this.known = body;
      this.status.textContent = '';
      announce(tell('computed'));
    } catch {
      if (this.running !== running) return;
      this.plans.clear();
      this.known = '';
      const again = button(tell('computed.again'), () => this.ask(this.asked), { class: 'plain' });
      this.status.replaceChildren(tell('computed.not'), ' ', again);
    }
    this.running = null;
    this.show();
  }

  private show(): void {
    for (const [level, meaning] of this.meanings) {
      const epsilon = level === OWN ? (this.level === OWN ? this.epsilon : null) : level;
      const plan = epsilon === null ? undefined : this.plans.get(epsilon);
      meaning.replaceChildren(...this.sentences(plan).map((text) => paragraph(text, 'soft small')));
    }
    this.warn();
  }

  private sentences(plan: Plan | null | undefined): string[] {
    if (plan === undefined || this.asked === null) return [];
    if (plan === null) return [tell('means.unknown')];
    const { access, turnout, voters, seats } = this.asked;
    const crowd = plan.crowd_epsilon;
    const board = crowd === null || access === 'link'
      ? tell('means.board.link')
      : crowd > GAINED * plan.epsilon
        ? tell('means.board.few')
        : tell('means.board', { odds: oddsOf(crowd), epsilon: number(crowd), turnout: count(turnout) });
    const values = { voters: count(voters), seats, low: number(plan.low), high: number(plan.high) };
    const decides = plan.lead === null
      ? tell(seats > 1 ? 'means.none.seats' : 'means.none', values)
      : tell(seats > 1 ? 'means.lead.seats' : 'means.lead', { ...values, lead: number(plan.lead) });
    return [tell('means.operator', { odds: oddsOf(plan.epsilon), epsilon: number(plan.epsilon) }), board, decides];
  }

  private warn(): void {
    this.warning.replaceChildren(...present([this.ofSecrecy(), this.ofSize()]));
  }

  /** A poll that protects hardly anything says so. */
  private ofSecrecy(): HTMLElement | null {
    const { epsilon } = this;
    if (epsilon === null) return null;
    const exact = exactly(epsilon);
    if (protectionOf(exact) === 'little') {
      return notice('warn', tell('little'), tell('little.how', { epsilon: written(epsilon), odds: oddsOf(exact) }));
    }
    const number = 1 + this.changes;
    const all = littleTogether(exact, number);
    return all && notice('', tell('little.changes', { number: count(number), epsilon: epsilonOf(all) }));
  }

  /** A poll that can decide nothing, or hardly anything, says so, and what would help. */
  private ofSize(): HTMLElement | null {
    const plan = this.epsilon === null ? null : this.plans.get(this.epsilon);
    if (!plan || (plan.lead !== null && plan.lead <= plan.most / 2)) return null;
    const better = LEVELS.find((level) => {
      const other = this.plans.get(level);
      return Number(level) > plan.epsilon && typeof other?.lead === 'number' && other.lead <= other.most / 2;
    });
    const help = [
      tell('small.voters', { plenty: count(plan.plenty) }),
      better !== undefined && tell('small.level', { level: tell(`level.${better}`) }),
      (this.asked?.candidates ?? 0) > 2 && tell('small.fewer'),
    ].filter((text) => text !== false);
    return notice('warn', tell(plan.lead === null ? 'small' : 'small.much'), help.join(' '));
  }
}

/** A number of few digits. */
const number = (x: number): string => written(String(x));

/** A typed epsilon has four digits behind the point at most. */
const exactly = (epsilon: string): Fraction => ({ up: BigInt(Math.round(Number(epsilon) * 10_000)), down: 10_000n });

/** An epsilon as somebody typed it, with a point or a comma; null if it is none. */
function typedEpsilon(text: string): string | null {
  const plain = text.trim().replace(',', '.');
  return /^[0-9]{1,2}(?:\.[0-9]{1,4})?$/.test(plain) && Number(plain) > 0 && Number(plain) <= 10 ? plain : null;
}

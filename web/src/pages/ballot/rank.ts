/** Rank, and check. */
import { reason } from '#words';
import { isRefusal } from '../../refusal.js';
import { readCode } from '../../secrets.js';
import { resume, type State } from '../../state.js';
import { button, el, notice, paragraph, set } from '../pieces/dom.js';
import { bar, title } from '../pieces/frame.js';
import { count, listed } from '../pieces/words.js';
import type { Booth } from './booth.js';
import { showStep } from './frame.js';
import { RankingList } from './ranking.js';
import { tellBallot as tell } from './said.js';

export interface Ways {
  readonly rank: () => void;
  readonly check: () => void;
  readonly leaves: () => void;
  readonly home: () => void;
  readonly forget: () => void;
}

export function showRank(booth: Booth, ways: Ways): void {
  const { poll, kept } = booth;
  const d = poll.candidates.length;
  const counted = el('p', { class: 'counted' });
  const next = button(tell('rank.next'), () => {
    if (code.isRight()) ways.check();
  }, { class: 'main' });
  const clear = button(tell('rank.clear'), () => {
    list.clear();
    list.element.querySelector<HTMLElement>('.pick')?.focus();
  }, { class: 'plain' });
  const show = (ranking: readonly number[]): void => {
    counted.textContent = tell('rank.count', { ranked: ranking.length, all: d });
    next.disabled = (poll.partial ? ranking.length === 0 : ranking.length < d) || booth.isUnchanged(ranking);
    clear.hidden = ranking.length === 0;
  };
  const list = new RankingList({
    names: poll.candidates,
    order: kept.order,
    ranking: kept.draft,
    changed(ranking) {
      booth.save({ draft: ranking });
      show(ranking);
    },
  });
  const code = codeField(booth);
  show(kept.draft);
  showStep(
    booth,
    'rank',
    title(tell('rank.title')),
    booth.changing && notice('', tell('change.now'), tell(booth.behind ? 'change.from' : 'change.empty')),
    paragraph(`${tell('rank.how')} ${tell(poll.partial ? 'rank.some' : 'rank.all')}`),
    code.element,
    list.element,
    el('p', { id: 'handle-how', hidden: true }, tell('rank.handle.how')),
    el('div', { class: 'below' }, clear, paragraph(tell('rank.stays'), 'soft small')),
    bar(counted, next),
    kept.state.standing === 'nothing' && kept.state.spent === 0 && restoring(booth, ways),
    el(
      'p',
      { class: 'end' },
      booth.changing && button(tell('change.no'), () => {
        booth.changing = false;
        booth.save({ draft: [] });
        ways.home();
      }, { class: 'plain' }),
      isKeeping(booth) && button(tell('forget.button'), ways.forget, { class: 'plain' }),
    ),
  );
}

/** Whether there is anything here that a device could forget. */
function isKeeping({ kept: { draft, state }, link: { code } }: Booth): boolean {
  return draft.length > 0 || state.spent > 0 || code !== null;
}

/** Where the voter types a code, unless the link had a good one. */
function codeField(booth: Booth): { element: HTMLElement | false; readonly isRight: () => boolean } {
  if (!booth.needsCode) return { element: false, isRight: () => true };
  const given = booth.link.code;
  if (given !== null && wrongCode(given) === null) {
    const other = button(tell('code.other'), () => {
      booth.useCode(null);
      const field = codeField(booth);
      element.replaceWith(field.element as HTMLElement);
      current = field.isRight;
      (field.element as HTMLElement).querySelector('input')?.focus();
    }, { class: 'plain' });
    let current = (): boolean => true;
    const element = el('p', { class: 'code-given soft small' }, tell('code.given'), ' ', other);
    return { element, isRight: () => current() };
  }
  const problem = el('p', { id: 'code-problem', class: 'bad', role: 'alert' });
  const input = el('input', {
    id: 'code',
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    maxlength: 64,
    'aria-describedby': 'code-how code-problem',
  });
  input.value = given ?? '';
  const judge = (): boolean => {
    const wrong = wrongCode(input.value);
    problem.textContent = wrong;
    set(input, { 'aria-invalid': wrong !== null && 'true' });
    if (wrong === null) booth.useCode(readCode(input.value));
    return wrong === null;
  };
  if (given !== null) judge();
  // What was said goes as soon as it is mended; nothing may move just when a button is pressed.
  input.addEventListener('input', () => {
    if (problem.textContent !== '' && wrongCode(input.value) === null) judge();
  });
  const element = el(
    'div',
    { class: 'code card' },
    el('label', { for: 'code' }, tell('code.label')),
    input,
    el('p', { id: 'code-how', class: 'soft small' }, tell('code.how')),
    problem,
  );
  return {
    element,
    isRight() {
      const right = judge();
      if (!right) input.focus();
      return right;
    },
  };
}

/** Why a code cannot be right, in words; null if it can. */
function wrongCode(text: string): string | null {
  try {
    readCode(text);
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return reason(error);
  }
}

/** Going on with a credential that was saved elsewhere. */
function restoring(booth: Booth, ways: Ways): HTMLElement {
  const problem = el('p', { class: 'bad', role: 'alert' });
  const file = el('input', { id: 'credential', type: 'file', accept: '.json,application/json' });
  file.addEventListener('change', () => void read());
  const read = async (): Promise<void> => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    let state: State;
    try {
      state = resume(booth.poll, JSON.parse(await chosen.text()));
    } catch (error) {
      problem.textContent = reason(isRefusal(error) ? error : { code: 'credential.form' });
      file.value = '';
      return;
    }
    booth.save({ state, draft: [] });
    ways.home();
  };
  return el(
    'details',
    { class: 'restore' },
    el('summary', {}, tell('restore.summary')),
    paragraph(tell('restore.how'), 'soft'),
    el('label', { for: 'credential' }, tell('restore.label')),
    file,
    problem,
  );
}

// --- check ----------------------------------------------------------------------------------------

export function showCheck(booth: Booth, ways: Ways): void {
  const { poll, kept } = booth;
  const { state, draft } = kept;
  const names = (ranking: readonly number[]): string[] => ranking.map((j) => poll.candidates[j]!);
  const left = poll.candidates.filter((_, j) => !draft.includes(j));
  const isKnown = state.draws.some(({ ranking }) => String(ranking) === String(draft));
  const free = 1 + poll.changes - state.spent;
  const rest = left.length === 1 ? 'check.rest.one' : 'check.rest.many';
  const isSpent = free <= 0 && !isKnown;
  const others = state.draws.map(({ ranking }) =>
    el('li', {}, button(tell('check.choose', { names: names(ranking).join(', ') }), () => {
      booth.save({ draft: ranking });
      ways.leaves();
    })),
  );
  showStep(
    booth,
    'check',
    title(tell('check.title')),
    el('ol', { class: 'checked card' }, ...names(draft).map((name, i) => row(i + 1, name))),
    left.length > 0 && paragraph(tell(rest, { names: listed(left) })),
    isKnown && paragraph(tell('check.again'), 'soft'),
    !isKnown && !isSpent && paragraph(tell('check.once'), 'soft'),
    !isKnown && !isSpent && paragraph(
      free === 1 ? tell('check.left.one') : tell('check.left.many', { number: count(free) }),
      'soft small',
    ),
    isSpent && notice('warn', tell(others.length ? 'check.spent' : 'check.nothing')),
    isSpent && el('ul', { class: 'seen' }, ...others),
    el('p', {}, button(tell('check.change'), ways.rank, { class: 'plain' })),
    !isSpent && bar(button(tell('check.next'), ways.leaves, { class: 'main' })),
  );
}

export function row(place: number, name: string): HTMLElement {
  return el('li', {}, el('span', { class: 'place filled', 'aria-hidden': true }, String(place)), el('span', {}, name));
}

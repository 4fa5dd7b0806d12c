/** Make a poll: a form, what it means, and the ballot beside it. */
import '../tokens.css';
import '../base.css';
import '../pieces/frame.css';
import '../pieces/fields.css';
import '../ballot/ballot.css';
import './create.css';
import { Trouble } from '../pieces/api.js';
import { announce, el, notice, paragraph, show } from '../pieces/dom.js';
import { area, choice, field, type Field, input, timeField, typedTime, typedWhole } from '../pieces/fields.js';
import { bar, head, inLanguage, page } from '../pieces/frame.js';
import { count } from '../pieces/words.js';
import { Preview } from './preview.js';
import { Privacy } from './privacy.js';
import { tellCreate as tell } from './said.js';
import { type Hidden, hiddenCharacter, JOINER, tidied, typedNames } from './typed.js';
import { FEWEST, make, MOST, turnoutOf, type Wanted } from './wanted.js';

const RULES = ['borda', 'plurality', 'antiplurality', 'approval', 'nauru'] as const;
const isOpen = page().hasAttribute('data-open');

// --- the fields -----------------------------------------------------------------------------------

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const question = field(input('question', { maxlength: 600 }), tell('question'), tell('question.how'));
const description = field(area('description', 2), tell('description'));
const candidates = field(area('candidates', 5, { spellcheck: 'false' }), tell('candidates'), tell('candidates.how'));
const seats = field(input('seats', { inputmode: 'numeric', value: 1 }), tell('seats'));
const rules = el('select', { id: 'rule' }, ...RULES.map((one) =>
  el('option', { value: one === 'approval' ? 'approval:k=2' : one }, tell(`rule.${one}`).split(':')[0])));
const rule = field(rules, tell('rule'));
const invited = field(input('invited', { inputmode: 'numeric', value: 100 }), tell('invited'));
const closes = field(input('closes', { type: 'datetime-local' }), tell('closes'), tell('closes.how', { zone }));
const changes = field(input('changes', { inputmode: 'numeric', value: 2 }), tell('changes'), tell('changes.how'));
const token = field(input('token', { type: 'password' }), tell('token'), tell('token.how'));
const partial = el('input', { type: 'checkbox', id: 'partial' });
const live = el('input', { type: 'checkbox', id: 'live' });
const liveHow = paragraph('', 'soft small');
const [byCodes, byLink] = (['codes', 'link'] as const).map((value) =>
  el('input', { type: 'radio', name: 'access', value })) as [HTMLInputElement, HTMLInputElement];
const privacy = new Privacy();
const preview = new Preview();
const outcome = el('div', { role: 'alert' });
const submit = el('button', { type: 'submit', class: 'main' }, tell('make'));
for (const box of [partial, byCodes]) box.checked = true;

function nextWeek(): number {
  const at = new Date();
  at.setDate(at.getDate() + 7);
  at.setHours(18, 0, 0, 0);
  return at.getTime() / 1000;
}
closes.control.value = timeField(nextWeek());

// --- what is typed --------------------------------------------------------------------------------

const text = (one: Field<HTMLInputElement | HTMLTextAreaElement>): string => tidied(one.control.value);
const names = (): string[] => typedNames(candidates.control.value).map(({ name }) => name);

/** What has changed goes into the preview, and into what the levels mean. */
function changed(): void {
  const listed = names();
  const [chairs, voters] = [typedWhole(text(seats)), typedWhole(text(invited))];
  const turnout = turnoutOf(Number.isNaN(voters) ? 0 : voters);
  preview.show(text(question), text(description), listed, chairs);
  candidates.how.textContent = listed.length < 2
    ? tell('candidates.how')
    : `${tell('candidates.count', { number: listed.length })} ${tell('candidates.how')}`;
  const chosen = RULES.find((one) => rules.value.startsWith(one))!;
  rule.how.textContent = tell(`rule.${chosen}`);
  const needed = voters < FEWEST ? 'invited.few' : voters < 2 * FEWEST ? 'invited.least' : 'invited.how';
  invited.how.textContent = tell(needed, { turnout: count(turnout), voters: count(voters) });
  liveHow.textContent = tell('live.how', { turnout: count(turnout) });
  privacy.allow(typedWhole(text(changes)) || 0);
  const d = listed.length;
  const fits = d >= 2 && d <= 64 && voters >= FEWEST && voters <= MOST && chairs >= 1 && chairs < d;
  const isSized = rules.value !== 'approval:k=2' || d > 2;
  const access = byLink.checked ? 'link' : 'codes';
  privacy.ask(fits && isSized ? { candidates: d, voters, rule: rules.value, seats: chairs, access, turnout } : null);
}

/** What is wrong with the candidates, in words. */
function wrongNames(listed: readonly string[]): string | null {
  if (listed.length < 2 || (rules.value === 'approval:k=2' && listed.length < 3)) return tell('wrong.few');
  if (listed.length > 64) return tell('wrong.many', { number: listed.length });
  const twice = listed.find((name, i) => listed.indexOf(name) !== i);
  if (twice !== undefined) return tell('wrong.twice', { name: twice });
  const long = listed.find((name) => [...name].length > 200);
  if (long !== undefined) return tell('wrong.long', { name: `${long.slice(0, 40)}…` });
  for (const { name, line } of typedNames(candidates.control.value)) {
    const hidden = hiddenCharacter(name);
    if (hidden) return withHint(tell('wrong.name', { line, name: hidden.marked, code: hidden.code }), hidden);
  }
  return null;
}

/** What cannot be shown of a text, in words. */
function wrongText(given: string, lines = false): string | null {
  const hidden = hiddenCharacter(given, lines);
  return hidden && withHint(tell('wrong.text', { text: hidden.marked, code: hidden.code }), hidden);
}

const withHint = (said: string, { code }: Hidden): string => (code === JOINER ? `${said} ${tell('wrong.joined')}` : said);

/** The poll as the form has it; null if something is wrong, which is said where it is. */
function wanted(): Wanted | null {
  const [asked, more, listed] = [text(question), text(description), names()];
  const within = (one: Field<HTMLInputElement>, least: number, most: number, wrong: string): boolean => {
    const given = typedWhole(text(one));
    return one.judge(given >= least && given <= most ? null : wrong);
  };
  const isLong = [...asked].length > 500 || asked === '';
  const most = Math.max(1, listed.length - 1);
  const judged: [boolean, HTMLElement][] = [
    [question.judge(isLong ? tell('wrong.question') : wrongText(asked)), question.control],
    [
      description.judge([...more].length > 5000 ? tell('wrong.description') : wrongText(more, true)),
      description.control,
    ],
    [candidates.judge(wrongNames(listed)), candidates.control],
    [within(seats, 1, most, tell('wrong.seats', { most })), seats.control],
    [within(invited, FEWEST, MOST, tell('wrong.invited', { fewest: FEWEST, most: count(MOST) })), invited.control],
    [closes.judge(Number.isNaN(typedTime(closes.control.value)) ? tell('wrong.closes') : null), closes.control],
    [privacy.judge(), privacy.control],
    [within(changes, 0, 16, tell('wrong.changes')), changes.control],
    [isOpen || token.judge(text(token) === '' ? tell('wrong.token') : null), token.control],
  ];
  const wrong = judged.find(([isRight]) => !isRight)?.[1];
  if (wrong) {
    wrong.closest('details')?.setAttribute('open', '');
    wrong.focus();
    return null;
  }
  const turnout = turnoutOf(typedWhole(text(invited)));
  return {
    question: asked,
    description: more,
    candidates: listed,
    rule: rules.value,
    epsilon: privacy.epsilon!,
    seats: typedWhole(text(seats)),
    access: byLink.checked ? 'link' : 'codes',
    changes: typedWhole(text(changes)),
    partial: partial.checked,
    turnout,
    live: live.checked ? turnout : 0,
    closes: typedTime(closes.control.value),
  };
}

// --- making ---------------------------------------------------------------------------------------

async function send(): Promise<void> {
  const poll = wanted();
  if (poll === null || submit.disabled) return;
  submit.disabled = true;
  submit.textContent = tell('making');
  outcome.replaceChildren();
  announce(tell('making'));
  try {
    location.assign(inLanguage(await make(poll, isOpen ? undefined : text(token))));
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    submit.disabled = false;
    submit.textContent = tell('make');
    outcome.replaceChildren(notice('bad', why(error)));
    outcome.scrollIntoView({ block: 'center' });
    if (error.code === 'api.token') token.control.focus();
  }
}

function why(error: Trouble): string {
  const { code, detail } = error;
  if (code === 'other.poll') return tell('refused.poll');
  if (code === 'api.token') return tell('refused.token');
  if (code === 'api.limit') return tell('refused.limit');
  return error.status === 0 ? tell('unreached') : tell('refused.other', { code, detail });
}

// --- the page -------------------------------------------------------------------------------------

const access = el(
  'fieldset',
  {},
  el('legend', {}, tell('access')),
  choice(byCodes, tell('access.codes'), tell('access.codes.how')),
  choice(byLink, tell('access.link'), tell('access.link.how')),
);
const small = (...fields: Field[]): HTMLElement => el('div', { class: 'short' }, ...fields.map((one) => one.element));
const form = el(
  'form',
  { novalidate: true, autocomplete: 'off' },
  el('h2', {}, tell('what')),
  question.element,
  candidates.element,
  description.element,
  small(seats),
  rule.element,
  el('h2', {}, tell('who')),
  small(invited),
  access,
  small(closes),
  privacy.element,
  el(
    'details',
    {},
    el('summary', {}, tell('more')),
    choice(partial, tell('partial')),
    choice(live, tell('live'), liveHow),
    small(changes),
  ),
  !isOpen && token.element,
  outcome,
  bar(submit),
);
form.addEventListener('input', changed);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});
window.addEventListener('pageshow', () => {
  submit.disabled = false; // somebody came back to make another one
  submit.textContent = tell('make');
});
show(
  page(),
  head(),
  el('h1', {}, tell('title')),
  paragraph(tell('short'), 'soft'),
  el('div', { class: 'beside' }, form, preview.element),
);
changed();

/** What leaves the device: the vote that stays, the sentence that goes, and who else could have sent it. */
import { reason } from '#words';
import { hexToBytes } from '@noble/hashes/utils.js';
import type { Report } from '../../fields.js';
import { threeDigits } from '../../poll.js';
import { isRefusal } from '../../refusal.js';
import { bodyOf, requestSize } from '../../requests.js';
import { send, type State, vote } from '../../state.js';
import { button, el, notice, paragraph } from '../pieces/dom.js';
import { bar, icon, title } from '../pieces/frame.js';
import { protectionOf } from '../pieces/protection.js';
import { sentence } from '../pieces/sentence.js';
import { count, epsilonOf, oddsOf, written } from '../pieces/words.js';
import type { Booth } from './booth.js';
import { showStep } from './frame.js';
import { row, type Ways } from './rank.js';
import { type Ballot, couldHaveSent, marksOf } from './sameness.js';
import { littleOf, tellBallot as tell } from './said.js';

const ROWS = 6; // candidates that a small ballot has room for
const LOCK = 'M7 11V8a5 5 0 0 1 10 0v3M5.5 11h13v9h-13z';
const ARROW = 'M4 12h15M13 6l6 6-6 6';

/** Draw, or take what was drawn before; saved before it is shown. */
function drawn(booth: Booth): { report: Report; next: State } {
  const { poll, kept } = booth;
  const known = kept.state.question;
  const asked = known === null ? booth.question : hexToBytes(known);
  const options = poll.mechanism.needsQuestion && asked ? { question: asked } : {};
  const { state, report } = vote(poll, kept.state, kept.draft, options);
  booth.save({ state });
  return { report, next: send(poll, state, report, booth.question) };
}

export function showLeaves(booth: Booth, ways: Ways, cast: (next: State) => void): void {
  const { poll } = booth;
  let report: Report;
  let next: State;
  try {
    ({ report, next } = drawn(booth));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    showStep(booth, 'leaves', title(tell('leaves.title')), notice('bad', tell('not.cast'), reason(error)),
      bar(button(tell('leaves.back'), ways.rank, { class: 'main' })));
    return;
  }
  const factor = oddsOf(poll.mechanism.epsilon);
  const epsilon = epsilonOf(poll.mechanism.epsilon);
  const { state, draft } = booth.kept;
  const seen = { number: count(state.spent), factor: oddsOf(poll.mechanism.epsilon, state.spent) };
  const little = littleOf(poll, state.spent);
  const isChange = state.standing === 'report';
  showStep(
    booth,
    'leaves',
    title(tell('leaves.title')),
    el(
      'div',
      { class: 'leaving' },
      el(
        'section',
        { class: 'card stays', 'aria-labelledby': 'stays' },
        el('h3', { id: 'stays' }, icon(LOCK), `${tell('leaves.vote')}: `, el('span', { class: 'good' }, tell('leaves.stays'))),
        el('ol', { class: 'checked' }, ...draft.map((j, i) => row(i + 1, poll.candidates[j]!))),
      ),
      el('span', { class: 'arrow' }, icon(ARROW)),
      el(
        'section',
        { class: 'card goes', 'aria-labelledby': 'goes' },
        el('h3', { id: 'goes' }, tell('leaves.report')),
        el('p', { class: 'report' }, sentence(booth.poll, report)),
      ),
    ),
    el('p', { class: 'odds' }, tell('leaves.odds', { factor })),
    protectionOf(poll.mechanism.epsilon) === 'little'
      ? notice('warn', tell('leaves.little', { epsilon }))
      : paragraph(tell('leaves.true')),
    paragraph(tell('leaves.epsilon', { epsilon }), 'soft small'),
    state.spent > 1 && paragraph(tell('leaves.all', seen)),
    little !== null && notice('warn', little),
    strip(booth, report, factor),
    el(
      'details',
      {},
      el('summary', {}, tell('leaves.json')),
      paragraph(tell('leaves.json.how', { size: count(requestSize(poll)) }), 'soft small'),
      el('pre', { id: 'json', tabindex: 0, 'aria-label': tell('leaves.json') }, bodyOf(poll, next.request!).trimEnd()),
    ),
    el('p', {}, button(tell('leaves.back'), ways.rank, { class: 'plain' })),
    bar(
      el('p', { class: 'warn counted' }, tell('not.cast')),
      button(tell(isChange ? 'leaves.change' : 'leaves.cast'), () => cast(next), { class: 'main' }),
    ),
  );
}

// --- the ten small ballots ------------------------------------------------------------------------

const shown = new Map<string, Ballot[] | null>();

function strip(booth: Booth, report: Report, factor: string): HTMLElement {
  const { poll } = booth;
  const key = JSON.stringify(report);
  const ballots = shown.get(key) ?? couldHaveSent(poll, report);
  shown.set(key, ballots); // looking again shows the same ones
  if (!ballots) return paragraph(tell('leaves.strip.none'));
  const marks = marksOf(report);
  const most = ballots.filter(({ hundredths }) => hundredths <= 100).length;
  const all = ballots.length;
  const isAll = poll.candidates.length < 4;
  const told = most === all
    ? tell('leaves.strip.same')
    : most === 1
      ? tell('leaves.strip.one', { all, factor })
      : tell('leaves.strip.some', { number: most, all, factor });
  const isSafe = most < all && protectionOf(poll.mechanism.epsilon) === 'much';
  return el(
    'section',
    { class: 'strip', 'aria-labelledby': 'strip' },
    el('h3', { id: 'strip' }, tell('leaves.strip')),
    paragraph(isAll ? tell('leaves.strip.every') : tell('leaves.strip.how', { number: all }), 'soft'),
    new Set(marks.values()).size === 2 && paragraph(tell('leaves.strip.marks'), 'soft small'),
    el('ul', { class: 'ballots' }, ...ballots.map((ballot) => small(poll.candidates, ballot, marks))),
    paragraph(isSafe ? `${told} ${tell('leaves.strip.sure')}` : told),
  );
}

function small(candidates: readonly string[], { ranking, share, hundredths }: Ballot, marks: Map<number, string>): HTMLElement {
  const names = ranking.map((j) => candidates[j]!);
  const isMost = hundredths <= 100;
  const told = isMost
    ? tell('leaves.ballot.most', { names: names.join(', ') })
    : tell('leaves.ballot.less', { names: names.join(', '), times: written(threeDigits(BigInt(hundredths))) });
  const fill = el('span', { class: 'fill' });
  fill.style.width = `${Math.max(3, 100 * share)}%`;
  const short = shortened(candidates);
  // Of many candidates only those of whom the report speaks.
  const spoken = ranking.length > ROWS && marks.size > 0 ? ranking.filter((j) => marks.has(j)) : ranking;
  const rows = spoken.length > ROWS ? spoken.slice(0, ROWS - 1) : spoken;
  return el(
    'li',
    {},
    el('span', { class: 'unseen' }, told),
    el(
      'span',
      { class: 'small-ballot', 'aria-hidden': true },
      ...rows.map((j) => el('span', { class: `line ${marks.get(j) ?? ''}`.trim() }, short[j])),
      rows.length < ranking.length && el('span', { class: 'line soft' }, '…'),
    ),
    el('span', { class: 'likely', 'aria-hidden': true }, fill),
  );
}

/** Names without a first word that others share: small ballots have little room. */
function shortened(names: readonly string[]): readonly string[] {
  const first = names.map((name) => name.split(' ', 1)[0]!);
  const isShared = (word: string): boolean => first.filter((other) => other === word).length > 1;
  const given = first.every((word) => !isShared(word)) && first.every((word) => word.length > 2);
  return names.map((name, j) => {
    if (given) return first[j]!;
    return isShared(first[j]!) ? name.slice(first[j]!.length).trim() || name : name;
  });
}

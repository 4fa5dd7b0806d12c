/** The ballot: opened from its link, ranked and drawn here, cast once, and kept by a receipt. */
import '../tokens.css';
import '../base.css';
import '../pieces/frame.css';
import '../pieces/steps.css';
import './ballot.css';
import { reason } from '#words';
import { openPoll } from '../../index.js';
import type { Poll } from '../../poll.js';
import { isRefusal } from '../../refusal.js';
import { type State, withdraw } from '../../state.js';
import { ask as choose } from '../pieces/asking.js';
import { ask, askJson, Trouble } from '../pieces/api.js';
import { announce, button, el } from '../pieces/dom.js';
import { page, showSentence } from '../pieces/frame.js';
import { tell as shared } from '../pieces/words.js';
import { Booth, type Told } from './booth.js';
import { deliver, type Outcome } from './casting.js';
import { tellAbout } from './frame.js';
import { showLeaves } from './leaves.js';
import { dropLink, type Link, takeLink } from './link.js';
import { showCheck, showRank } from './rank.js';
import { tellBallot as tell } from './said.js';
import { type Acts, showStanding } from './standing.js';
import { showClosed, showRefused, showSending, showUnsure, showWithdrawn } from './states.js';

let booth: Booth | null = null;
let link = takeLink(); // before anything else: the address must not keep it

const acts: Acts = {
  rank: () => showRank(booth!, acts),
  check: () => showCheck(booth!, acts),
  leaves: () => showLeaves(booth!, acts, (next) => void cast(next)),
  home: () => showHome(),
  change() {
    booth!.change();
    acts.rank();
  },
  withdraw: () => void cast(withdraw(booth!.poll, booth!.kept.state)),
  forget: () => void forget(),
};

/** What belongs on the page, from what is kept. */
function showHome(isNew = false): void {
  const { state, unsure } = booth!.kept;
  if (state.request !== null) {
    showUnsure(booth!, { kind: 'unsure', code: unsure ? 'unreached' : 'unsent', detail: '', before: unsure }, again);
  } else if (booth!.isClosed) showClosed(booth!, acts);
  else if (state.standing === 'withdrawn') showWithdrawn(booth!, acts);
  else if (state.standing === 'report' && !booth!.changing) showStanding(booth!, acts, isNew);
  else acts.rank();
}

// --- opening --------------------------------------------------------------------------------------

async function open(given: Link): Promise<void> {
  link = given;
  booth = null;
  const { id, digest } = link;
  if (digest === null) {
    showNoDigest();
    return;
  }
  const telling = askJson(`/polls/${id}`).catch(() => null);
  try {
    const poll = openPoll(await ask(`/polls/${id}/manifest`), digest);
    if (poll.id !== id) throw new Trouble('api.poll', 404);
    opened(poll, given);
  } catch (error) {
    showNotOpened(error);
    return;
  }
  hear((await telling) as Told | null);
}

function opened(poll: Poll, given: Link): void {
  document.title = `${poll.question} – hushvote`;
  booth = new Booth(poll, given);
  showHome();
}

/** The server has told when the poll closes; that must not disturb who ranks already. */
function hear(told: Told | null): void {
  if (!booth || !told) return;
  booth.told = told;
  if (booth.isClosed) showHome();
  else tellAbout(booth);
}

function showNotOpened(error: unknown): void {
  const again = button(shared('try.again'), () => void open(link), { class: 'main' });
  if (isRefusal(error)) {
    if (error.code === 'poll.digest') showSentence(tell('wrong.digest.title'), tell('wrong.digest'), again);
    else showSentence(tell('refuses.title'), reason(error), again);
    dropLink(link.id);
  } else if (error instanceof Trouble && error.code === 'api.deleted') {
    showSentence(tell('deleted.title'), tell('deleted', { day: String(error.told.day) }));
    dropLink(link.id);
  } else if (error instanceof Trouble && error.status === 404) {
    showSentence(tell('no.poll.title'), tell('no.poll'), again);
  } else if (error instanceof Trouble) {
    showSentence(tell('unreached.title'), tell('unreached'), again);
  } else throw error;
}

/** A link without its end can be completed here; what is pasted stays on this page. */
function showNoDigest(): void {
  const input = el('input', { id: 'link', autocomplete: 'off', spellcheck: 'false' });
  const go = button(tell('no.digest.open'), () => {
    location.hash = input.value.trim().replace(/^[^#]*#/, '');
  }, { class: 'main' });
  showSentence(
    tell('no.digest.title'),
    tell('no.digest'),
    el('div', { class: 'wide' }, el('label', { for: 'link' }, tell('no.digest.label')), input),
    go,
  );
}

// --- casting --------------------------------------------------------------------------------------

/** Save first, then send: whatever happens now, the same bytes can be sent again. */
async function cast(next: State): Promise<void> {
  booth!.save({ state: next, unsure: false });
  await again();
}

async function again(): Promise<void> {
  const sender = booth!;
  const isWithdrawal = !sender.kept.state.request?.report;
  showSending(sender);
  const outcome: Outcome = await deliver(sender);
  if (booth !== sender) return;
  if (outcome.kind === 'unsure') showUnsure(sender, outcome, again);
  else if (outcome.kind === 'refused') showRefused(sender, acts, outcome, isWithdrawal);
  else showHome(true);
  announce(page().querySelector('[data-title]')?.textContent ?? ''); // else "Sending" would stand there
}

// --- forgetting, leaving, and other pages of this browser ------------------------------------------

async function forget(): Promise<void> {
  const isCast = booth!.kept.state.standing !== 'nothing' || booth!.kept.state.request !== null;
  const yes = await choose({
    title: tell('forget.title'),
    texts: [tell(isCast ? 'forget.cast' : 'forget.uncast')],
    yes: tell('forget.yes'),
    no: tell('forget.no'),
    danger: true,
  });
  if (!yes) return;
  booth!.forget();
  booth = null;
  showSentence(tell('forgotten.title'), tell('forgotten.text'));
}

window.addEventListener('beforeunload', (event) => {
  if (booth?.isUncast) event.preventDefault();
});

window.addEventListener('hashchange', () => {
  if (location.hash) void open(takeLink());
});

window.addEventListener('storage', ({ key }) => {
  if (!booth || key !== `hushvote.vote.${booth.poll.digest}`) return;
  const before = booth.kept.state;
  booth.refresh();
  if (JSON.stringify(before) === JSON.stringify(booth.kept.state)) return;
  booth.changing = false;
  showHome();
});

announce(''); // a place to speak must be there before something is said
void open(link);

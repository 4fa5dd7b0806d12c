/** The board of a closed poll: find a receipt, count everything again, save it. */
import '../tokens.css';
import '../base.css';
import '../pieces/frame.css';
import './result.css';
import './board.css';
import { reason } from '#words';
import { openPoll } from '../../index.js';
import { isHex, type Poll } from '../../poll.js';
import { isRefusal } from '../../refusal.js';
import { ask, askJson, Trouble } from '../pieces/api.js';
import { announce, button, type Child, el, notice, paragraph, show } from '../pieces/dom.js';
import { head, inLanguage, page, showSentence } from '../pieces/frame.js';
import { kept } from '../pieces/keeping.js';
import { count, tell as shared } from '../pieces/words.js';
import { recounting } from './counting.js';
import { searching } from './searching.js';
import { tellBoard as tell } from './said.js';

interface Told {
  readonly digest: string;
  readonly state: 'open' | 'closed';
  readonly standing: number;
}

const id = location.pathname.split('/')[2] ?? '';

/** What stands behind the #, which leaves the address at once: a digest, and perhaps a receipt. Without
 * one, the digest of the link that this browser was given for the ballot.
 */
function taken(): { digest: string | null; receipt: string } {
  const { pathname, search, hash } = location;
  if (hash) history.replaceState(null, '', pathname + search);
  const [given = '', receipt = ''] = hash.slice(1).split('.');
  const before = kept(`hushvote.link.${id}`) as { digest?: unknown } | undefined;
  const digest = [given, before?.digest].find((one) => isHex(one, 64));
  return { digest: typeof digest === 'string' ? digest : null, receipt };
}

async function open({ digest, receipt }: ReturnType<typeof taken>): Promise<void> {
  try {
    const [told, manifest] = await Promise.all([
      askJson(`/polls/${id}`) as Promise<Told>,
      ask(`/polls/${id}/manifest`),
    ]);
    const poll = openPoll(manifest, digest ?? told.digest);
    document.title = `${tell('title', { question: poll.question })} – hushvote`;
    if (told.state === 'open') showSentence(tell('open'), tell('open.says'), toResult('main'));
    else if (told.standing < poll.turnout) {
      const numbers = { standing: count(told.standing), turnout: count(poll.turnout) };
      showSentence(tell('few'), tell('few.says', numbers), toResult('main'));
    } else showBoard(poll, told.standing, digest !== null, receipt);
  } catch (error) {
    showTrouble(error, () => void open({ digest, receipt }));
  }
}

function showBoard(poll: Poll, standing: number, isLinked: boolean, receipt: string): void {
  const search = searching(poll, standing);
  show(
    page(),
    head(toResult('plain')),
    el(
      'div',
      { class: 'board' },
      paragraph(tell('top', { standing: count(standing) }), 'soft small'),
      el('h1', {}, poll.question),
      paragraph(tell('what')),
      !isLinked && notice('warn', tell('unlinked', { digest: poll.digest })),
      search.part,
      recounting(poll, standing),
      saving(poll),
    ),
  );
  if (receipt) search.find(receipt);
}

function saving({ digest }: Poll): Child {
  const href = `/api/v1/polls/${id}/board`;
  return el(
    'section',
    { 'aria-labelledby': 'save' },
    el('h2', { id: 'save' }, tell('save')),
    paragraph(tell('save.says')),
    el('pre', {}, `hushvote verify board.jsonl --digest ${digest}`),
    el('p', { class: 'actions' }, el('a', { class: 'button', href, download: 'board.jsonl' }, tell('save'))),
  );
}

function toResult(kind: 'main' | 'plain'): HTMLElement {
  const look = kind === 'main' ? 'button main' : 'plain';
  return el('a', { class: look, href: inLanguage(`/p/${id}/result`) }, tell('to.result'));
}

function showTrouble(error: unknown, again: () => void): void {
  const retry = button(shared('try.again'), again, { class: 'main' });
  if (isRefusal(error)) {
    if (error.code === 'poll.digest') showSentence(tell('wrong.digest'), tell('wrong.digest.says'));
    else showSentence(tell('unreached'), reason(error), retry);
  } else if (!(error instanceof Trouble)) throw error;
  else if (error.code === 'api.deleted') {
    showSentence(tell('deleted'), tell('deleted.says', { day: String(error.told.day) }));
  } else if (error.status === 404) showSentence(tell('none'), tell('none.says'));
  else showSentence(tell('unreached'), tell('unreached.says'), retry);
}

window.addEventListener('hashchange', () => {
  if (location.hash) void open(taken());
});

announce('');
void open(taken());

/** The organiser's page: how it goes, whom to invite, and what can be done with a poll. */
import '../tokens.css';
import '../base.css';
import '../pieces/frame.css';
import '../pieces/fields.css';
import './organiser.css';
import { Trouble } from '../pieces/api.js';
import { button, el } from '../pieces/dom.js';
import { field, input } from '../pieces/fields.js';
import { page, showSentence } from '../pieces/frame.js';
import { tell as shared } from '../pieces/words.js';
import { Desk, keyIn, takeKey } from './desk.js';
import { showDesk } from './parts.js';
import { tellOrganiser as tell } from './said.js';

const { id, key } = takeKey(); // before anything else: the address must not keep it

async function open(given: string): Promise<void> {
  const desk = new Desk(id, given);
  try {
    await desk.open();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    showNotOpened(error, given);
    return;
  }
  document.title = `${desk.poll.question} – hushvote`;
  showDesk(desk);
}

function showNotOpened(error: Trouble, given: string): void {
  const again = button(shared('try.again'), () => void open(given), { class: 'main' });
  if (error.code === 'other.poll') showSentence(tell('wrong.digest.title'), tell('wrong.digest'), again);
  else if (error.code === 'api.key') showNoKey(tell('wrong.key.title'), tell('wrong.key'));
  else if (error.code === 'api.deleted') {
    showSentence(tell('deleted.title'), tell('deleted', { day: String(error.told.day) }));
  } else if (error.status === 404) showSentence(tell('no.poll.title'), tell('no.poll'));
  else showSentence(tell('unreached.title'), tell('unreached'), again);
}

/** Without the right key nothing can be done; what is pasted stays on this page. */
function showNoKey(what: string, text: string): void {
  showSentence(what, text);
  const link = field(input('link', { spellcheck: 'false', autocapitalize: 'off' }), tell('no.key.label'));
  const form = el('form', { novalidate: true }, link.element, el('button', { type: 'submit', class: 'main' }, tell('no.key.open')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const found = keyIn(link.control.value, id);
    if (link.judge(found === null ? tell('no.key') : null)) void open(found!);
    else link.control.focus();
  });
  page().querySelector('.sentence')!.append(form);
}

if (key === null) showNoKey(tell('no.key.title'), tell('no.key'));
else void open(key);

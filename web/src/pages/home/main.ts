/** The first page: a link that somebody was sent is opened here, and stays in the browser. */
import '../tokens.css';
import '../base.css';
import '../pieces/frame.css';
import '../pieces/fields.css';
import './home.css';
import { home } from '#words';
import { readCode } from '../../secrets.js';
import { el } from '../pieces/dom.js';
import { field, input } from '../pieces/fields.js';
import { inLanguage } from '../pieces/frame.js';
import { teller } from '../pieces/words.js';

const tell = teller(home);
const link = field(input('link', { spellcheck: 'false', autocapitalize: 'off' }), tell('link'), tell('link.how'));
const form = el('form', { novalidate: true }, link.element, el('button', { type: 'submit' }, tell('open')));

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const found = wrong(link.control.value.trim());
  if (found instanceof URL) location.assign(inLanguage(found.pathname + found.hash));
  else {
    link.judge(found);
    link.control.focus();
  }
});

/** Where a link leads, or why it leads nowhere. */
function wrong(text: string): URL | string {
  if (isCode(text)) return tell('wrong.code');
  const example = `${location.origin}/p/…#…`;
  const found = URL.canParse(text) ? new URL(text) : null;
  if (!found || !/^\/[po]\/[0-9a-f]{32}\/?$/.test(found.pathname) || !/^https?:$/.test(found.protocol)) {
    return tell('wrong.link', { example });
  }
  return found.origin === location.origin ? found : tell('wrong.server', { server: found.host });
}

function isCode(text: string): boolean {
  try {
    readCode(text);
    return true;
  } catch {
    return false;
  }
}

document.getElementById('enter')!.replaceChildren(form);

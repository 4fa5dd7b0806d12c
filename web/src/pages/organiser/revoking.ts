/** Taking codes back: found in what is pasted, hashed here, and never sent themselves. */
import { issuedHash } from '../../organising.js';
import { ask } from '../pieces/asking.js';
import { announce, el, notice, paragraph } from '../pieces/dom.js';
import { area, field } from '../pieces/fields.js';
import { count } from '../pieces/words.js';
import type { Tried } from './acts.js';
import { type Desk, PART } from './desk.js';
import { codesIn } from './pasted.js';
import { tellOrganiser as tell } from './said.js';

export function revokingPart(desk: Desk, tried: Tried, refresh: () => Promise<void>): HTMLElement {
  const pasted = field(area('revoked', 3, { spellcheck: 'false', autocapitalize: 'off' }), tell('revoke.label'), tell('revoke.how'));
  const done = el('div', {});
  const revoke = tried(async () => {
    const codes = codesIn(pasted.control.value).codes;
    const title = tell('revoke.title', { number: count(codes.length) });
    if (!(await ask({ title, texts: [tell('revoke.text')], yes: tell('revoke.yes'), no: tell('revoke.no'), danger: true }))) return;
    const gone = new Set<string>();
    const hashes = codes.map((code) => issuedHash(desk.poll.digest, code));
    for (let from = 0; from < hashes.length; from += PART) {
      const body = JSON.stringify({ codes: hashes.slice(from, from + PART) });
      const { revoked } = (await desk.own('/revocations', { method: 'POST', body })) as { revoked: string[] };
      for (const hash of revoked) gone.add(hash);
    }
    const left = hashes.filter((hash) => !gone.has(hash)).length;
    const said = tell('revoke.done', { number: count(gone.size) });
    done.replaceChildren(notice(left ? 'warn' : 'good', said, left > 0 && tell('revoke.left', { number: count(left) })));
    pasted.control.value = '';
    announce(said);
    await refresh();
  });
  const form = el('form', { novalidate: true }, pasted.element, el('button', { type: 'submit' }, tell('revoke.button')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    done.replaceChildren();
    const { codes, line } = codesIn(pasted.control.value);
    const wrong = line !== null ? tell('revoke.wrong', { line }) : codes.length === 0 ? tell('revoke.none') : null;
    if (pasted.judge(wrong)) revoke();
    else pasted.control.focus();
  });
  return el(
    'details',
    { class: 'revoking' },
    el('summary', {}, tell('revoke')),
    paragraph(tell('revoke.says'), 'soft'),
    form,
    done,
  );
}

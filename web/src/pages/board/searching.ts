/** "Find your receipt": a field, and what the board has of it. */
import type { Poll } from '../../poll.js';
import { announce, button, type Child, el, notice, paragraph, present } from '../pieces/dom.js';
import { sentence } from '../pieces/sentence.js';
import { count } from '../pieces/words.js';
import { find, type Found } from './finding.js';
import { digitsOf } from '../pieces/lines.js';
import { tellBoard as tell, whyNot } from './said.js';

export function searching(poll: Poll, standing: number): { part: HTMLElement; find: (receipt: string) => void } {
  const input = el('input', {
    id: 'receipt',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-describedby': 'receipt-how',
  });
  const answer = el('div', { class: 'answer' });
  const say = (what: string, ...content: Child[]): void => {
    answer.replaceChildren(...present(content));
    announce(what);
  };
  const look = async (): Promise<void> => {
    const receipt = input.value.toLowerCase().replace(/[^0-9a-z]/g, '');
    const isForm = /^[0-9a-f]{64}$/.test(receipt);
    input.setAttribute('aria-invalid', String(!isForm));
    if (!isForm) {
      const wrong = tell('find.form', { number: count((receipt.match(/[0-9a-f]/g) ?? []).length) });
      say(wrong, notice('bad', wrong));
      return;
    }
    say(tell('finding'), paragraph(tell('finding'), 'soft'));
    try {
      const found = await find(poll.id, receipt, standing);
      say(...told(poll, found));
    } catch (error) {
      const [what, means] = whyNot(error);
      say(what, notice('bad', what, means));
    }
  };
  const form = el(
    'form',
    {
      on: {
        submit: (event) => {
          event.preventDefault();
          void look();
        },
      },
    },
    el('label', { for: 'receipt' }, tell('find.label')),
    input,
    el('p', { id: 'receipt-how', class: 'soft small' }, how(standing)),
    el('p', { class: 'actions' }, button(tell('find.button'), () => void look(), { class: 'main' })),
  );
  const part = el(
    'section',
    { 'aria-labelledby': 'find' },
    el('h2', { id: 'find' }, tell('find')),
    form,
    answer,
  );
  return {
    part,
    find(receipt) {
      input.value = receipt;
      void look();
    },
  };
}

/** What of a receipt the server learns. */
function how(standing: number): string {
  const digits = digitsOf(standing);
  if (digits === 0) return tell('find.whole');
  const said = digits === 1 ? tell('find.digit.one') : tell('find.digit.many', { number: digits });
  return tell('find.prefix', { digits: said });
}

function told(poll: Poll, found: Found): [string, ...Child[]] {
  if (found.kind === 'stands') {
    return [
      tell('found'),
      notice('good', tell('found'), tell('found.says'), el('p', { class: 'quoted' }, sentence(poll, found.report))),
      el('details', {}, el('summary', {}, tell('found.json')), el('pre', {}, found.line)),
    ];
  }
  if (found.kind === 'spent') {
    const next = found.next === null
      ? [tell('spent.withdrawn')]
      : [tell('spent.changed'), el('p', { class: 'mono hex' }, found.next)];
    return [tell('spent'), notice('', tell('spent'), ...next)];
  }
  return [
    tell('missing'),
    notice(
      'warn',
      tell('missing'),
      found.erased > 0 && tell('missing.erased', { number: count(found.erased) }),
      tell('missing.says'),
    ),
    el('pre', {}, `hushvote verify board.jsonl --digest ${poll.digest} --ack acknowledgement.json`),
  ];
}

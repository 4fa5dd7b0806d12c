/** What is shown while a vote is under way, when it was refused, and when nothing can be cast any more. */
import { announce, button, type Child, el, notice, paragraph } from '../pieces/dom.js';
import { bar, inLanguage, title } from '../pieces/frame.js';
import { isDurable } from '../pieces/keeping.js';
import { count } from '../pieces/words.js';
import type { Booth } from './booth.js';
import type { Outcome } from './casting.js';
import { showStep } from './frame.js';
import { tellBallot as tell } from './said.js';
import { type Acts, receipt, receiptNow } from './standing.js';

type Trouble = Exclude<Outcome, { kind: 'done' }>;

export function showSending(booth: Booth): void {
  showStep(booth, 'cast', title(tell('sending')));
  announce(tell('sending'));
}

/** What was sent may or may not have arrived. */
export function showUnsure(booth: Booth, { code }: Trouble, again: () => Promise<void>): void {
  const { request, standing } = booth.kept.state;
  const isAnswer = code === 'answer' || code.startsWith('ack.');
  const isBusy = code === 'api.limit' || code === 'server.busy' || code.startsWith('store.');
  const why = isAnswer
    ? tell('unsure.answer', { code })
    : isBusy
      ? tell('unsure.busy')
      : tell(isDurable() ? 'unsure.network' : 'unsure.memory');
  const stands = standing === 'report' && tell(request?.report ? 'unsure.change' : 'unsure.withdraw');
  const heading = standing === 'report' && stands ? stands : tell('unsure.title');
  showStep(
    booth,
    'cast',
    title(heading),
    notice('warn', why),
    bar(button(tell('unsure.again'), () => void again(), { class: 'main' })),
  );
}

/** The server has refused: what has become of the vote, why, and what to do. */
export function showRefused(booth: Booth, acts: Acts, { code, detail, before }: Trouble, isWithdrawal: boolean): void {
  const { standing } = booth.kept.state;
  const isOver = code === 'vote.closed';
  const isElsewhere = code === 'vote.spent' || code === 'vote.unknown';
  const heading = isOver && before
    ? 'refused.unknown'
    : standing === 'nothing'
      ? 'refused.title'
      : isElsewhere
        ? (isWithdrawal ? 'refused.withdraw.elsewhere' : 'refused.change.elsewhere')
        : isWithdrawal ? 'refused.withdraw' : 'refused.change';
  const isCode = code === 'vote.code' || code === 'vote.question';
  const toRank = button(tell('refused.back'), acts.rank, { class: 'main' });
  const toReceipt = button(tell('refused.receipt'), () => {
    booth.changing = false;
    acts.home();
  }, { class: 'main' });
  const action: Child = isCode
    ? button(tell('refused.code.other'), acts.rank, { class: 'main' })
    : isOver || code === 'api.deleted'
      ? resultLink(booth)
      : isElsewhere
        ? button(tell('forget.button'), acts.forget, { class: 'main' })
        : standing === 'report' ? toReceipt : toRank;
  const why = (): string => {
    if (isOver) return before ? tell('refused.closed.unsure', { receipt: receiptNow(booth) }) : tell('refused.closed');
    if (code === 'vote.question') return tell('refused.question');
    if (code === 'vote.code') return tell('refused.code');
    if (isElsewhere) return tell('refused.elsewhere');
    if (code === 'vote.changes') return tell('refused.changes');
    return code === 'api.deleted' ? tell('refused.deleted') : tell('refused.other', { code, detail });
  };
  showStep(booth, 'cast', title(tell(heading)), notice('bad', why()), bar(action));
}

export function showWithdrawn(booth: Booth, acts: Acts): void {
  showStep(
    booth,
    null,
    title(tell('withdrawn.title')),
    notice('good', tell('withdrawn.text')),
    ...receipt(booth, 'withdrawn.for'),
    el('p', { class: 'end' }, button(tell('forget.button'), acts.forget, { class: 'plain' })),
  );
}

/** After close: what has become of this vote, and where the result is. */
export function showClosed(booth: Booth, acts: Acts): void {
  const { poll, told, kept: { state } } = booth;
  const standing = told!.standing;
  const isFew = standing < poll.turnout;
  const own = {
    nothing: 'closed.uncast',
    report: isFew ? 'closed.cast.few' : 'closed.cast',
    withdrawn: 'closed.withdrawn',
  } as const;
  showStep(
    booth,
    null,
    title(tell('closed.title')),
    notice(state.standing === 'report' ? 'good' : '', tell(own[state.standing])),
    isFew && paragraph(tell('closed.few', { standing: count(standing), turnout: count(poll.turnout) })),
    el('p', { class: 'actions screen' }, resultLink(booth, isFew ? 'closed.page' : 'closed.result')),
    ...(state.standing === 'report' ? receipt(booth, isFew ? null : 'cast.for') : []),
    state.standing !== 'nothing' &&
      el('p', { class: 'end' }, button(tell('forget.button'), acts.forget, { class: 'plain' })),
  );
}

function resultLink({ poll }: Booth, label: 'closed.result' | 'closed.page' = 'closed.result'): HTMLElement {
  return el('a', { class: 'button main', href: inLanguage(`/p/${poll.id}/result`) }, tell(label));
}

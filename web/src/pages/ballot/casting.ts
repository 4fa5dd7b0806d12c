/** Sending what was decided, and believing nothing but a right acknowledgement. */
import { isRefusal } from '../../refusal.js';
import { bodyOf, type Request } from '../../requests.js';
import { acknowledged, refused } from '../../state.js';
import { ask, Trouble } from '../pieces/api.js';
import { isSigned } from '../pieces/signing.js';
import type { Booth } from './booth.js';

/** `unsure`: it may have arrived, and is to be sent again, the same to the byte. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'unsure' | 'refused'; readonly code: string; readonly detail: string; readonly before: boolean };

/** Where a request goes, below the poll. */
export function pathOf({ reveals, report }: Request): 'reports' | 'changes' | 'withdrawals' {
  if (!report) return 'withdrawals';
  return reveals === undefined ? 'reports' : 'changes';
}

/** Send what is to be sent last; it is saved already. */
export async function deliver(booth: Booth): Promise<Outcome> {
  const { poll } = booth;
  const { state, unsure: before } = booth.kept;
  const request = state.request!;
  booth.save({ unsure: true }); // should the page go now, nobody knows what came of it
  try {
    const body = bodyOf(poll, request);
    const answer = JSON.parse(await ask(`/polls/${poll.id}/${pathOf(request)}`, { method: 'POST', body })) as unknown;
    const next = acknowledged(poll, state, answer);
    const { receipt, leaf, signature } = next.acknowledgement!;
    const isRight = await isSigned(poll.server, 'hushvote ack', [poll.digest, receipt, leaf], signature);
    if (isRight === false) throw new Trouble('ack.signature', 0);
    booth.changing = false;
    booth.useCode(null); // it has done its work, and nobody else should find it here
    booth.save({ state: next, unsure: false, checked: isRight === true, sent: request.report ?? null, draft: [] });
    return { kind: 'done' };
  } catch (error) {
    const { code, detail, unsure } = troubleOf(error);
    if (unsure) return { kind: 'unsure', code, detail, before };
    const isCode = code === 'vote.question' || code === 'vote.code';
    if (isCode) booth.useCode(null);
    booth.save({ state: { ...refused(state), ...(isCode && { question: null }) }, unsure: false });
    return { kind: 'refused', code, detail, before };
  }
}

function troubleOf(error: unknown): { code: string; detail: string; unsure: boolean } {
  if (error instanceof Trouble) return error;
  const code = isRefusal(error) ? error.code : 'answer';
  return { code, detail: '', unsure: true }; // an answer, but none to what was sent
}

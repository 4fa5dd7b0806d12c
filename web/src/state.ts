/** What the voter's device keeps of one poll, as plain data: save it before anything is sent. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { type Bits, secureBits } from './bits.js';
import { canonical, members } from './canonical.js';
import { wholeWithin } from './exact.js';
import { readReport, type Report } from './fields.js';
import { checkRanking, isHex, type Manifest, type Poll } from './poll.js';
import { check } from './refusal.js';
import type { Request } from './requests.js';
import { leafOf, receiptOf, secretOf } from './secrets.js';

export interface KeptDraw {
  /** The hash that fixed what to report on, where there is one. */
  readonly question: string | null;
  /** As the voter gave it, and as it was completed. */
  readonly ranking: readonly number[];
  readonly completed: readonly number[];
  readonly report: Report;
}

/** An entry of the ledger: what a draw cost, as `hv.Ledger` keeps it. */
export interface Entry {
  readonly poll: string;
  readonly epsilon: number;
}

/** What the server signs once it has kept a request. */
export interface Acknowledgement {
  readonly poll: string;
  readonly receipt: string;
  readonly leaf: string;
  readonly salt?: string;
  readonly signature: string;
}

/** Never has random bits: from them and a report the ranking could be told. */
export interface State {
  readonly hushvote: 'voter';
  readonly version: 1;
  /** The digest of the poll. */
  readonly poll: string;
  /** From it follow all secrets and receipts. */
  readonly seed: string;
  /** Changes that were acknowledged. */
  readonly position: number;
  /** Draws that were shown, also on other devices; at most 1 + changes. */
  readonly spent: number;
  readonly draws: readonly KeptDraw[];
  readonly ledger: readonly Entry[];
  /** The hash of the voter's code. */
  readonly question: string | null;
  /** What was sent last, to be sent again until it is acknowledged or refused. */
  readonly request: Request | null;
  readonly acknowledgement: Acknowledgement | null;
  /** What stands at the server, as far as it was acknowledged. */
  readonly standing: 'nothing' | 'report' | 'withdrawn';
}

/** What a voter downloads to change or withdraw elsewhere: no ranking, no report. */
export interface Credential {
  readonly hushvote: 'credential';
  readonly version: 1;
  readonly poll: string;
  readonly seed: string;
  readonly position: number;
  readonly draws: number;
}

/** Begin to vote in a poll. */
export function begin(poll: Manifest, bits: Bits = secureBits()): State {
  return {
    hushvote: 'voter',
    version: 1,
    poll: poll.digest,
    seed: bytesToHex(bits.bytes(32)),
    position: 0,
    spent: 0,
    draws: [],
    ledger: [],
    question: null,
    request: null,
    acknowledgement: null,
    standing: 'nothing',
  };
}

/** The report of a ranking: the one that was drawn for it before, or a fresh one, which is spent from
 * now on. Save the state before the report is shown.
 */
export function vote(
  poll: Poll,
  state: State,
  ranking: readonly number[],
  options: { question?: Uint8Array; bits?: Bits } = {},
): { state: State; report: Report } {
  check(state.poll === poll.digest, 'state.poll');
  checkRanking(poll, ranking);
  const question = options.question ? bytesToHex(options.question) : null;
  // --8<-- [start:vote]
  const same = state.draws.find(
    (draw) => draw.question === question && String(draw.ranking) === String(ranking),
  );
  if (same) return { state, report: same.report };
  check(state.spent <= poll.changes, 'state.spent');
  // --8<-- [end:vote]
  const { report, ranking: completed } = poll.draw(ranking, options);
  return {
    report,
    state: {
      ...state,
      spent: state.spent + 1,
      draws: [...state.draws, { question, ranking: [...ranking], completed, report }],
      ledger: [...state.ledger, costOf(poll)],
    },
  };
}

/** What one draw costs. */
function costOf({ digest, mechanism: { epsilon } }: Manifest): Entry {
  return { poll: digest, epsilon: Number(epsilon.up) / Number(epsilon.down) };
}

/** Cast a report, or change to it once one stands; `hash` is that of the voter's code. */
export function send(poll: Manifest, state: State, given: Report, hash?: Uint8Array): State {
  const secret = nextSecret(poll, state);
  const report = readReport(poll.mechanism.fields, given);
  const question = hash ? bytesToHex(hash) : state.question;
  check(question !== null || !poll.mechanism.needsQuestion, 'question.missing');
  if (state.standing === 'nothing') {
    check((question !== null) === (poll.access === 'codes'), question ? 'question.needless' : 'question.missing');
    const asked = question === null ? {} : { question };
    return { ...state, question, request: { poll: poll.digest, receipt: receiptOf(secret), ...asked, report } };
  }
  check(state.position < poll.changes, 'state.changes');
  const receipt = receiptOf(secretOf(state.seed, state.position + 1));
  return { ...state, question, request: { poll: poll.digest, reveals: secret, receipt, report } };
}

/** Withdraw what was cast: final. */
export function withdraw(poll: Manifest, state: State): State {
  const secret = nextSecret(poll, state);
  check(state.standing === 'report', 'state.uncast');
  return { ...state, request: { poll: poll.digest, reveals: secret } };
}

/** The secret of what stands now, if the device may send something. */
function nextSecret(poll: Manifest, state: State): string {
  check(state.poll === poll.digest, 'state.poll');
  check(state.request === null, 'state.unanswered');
  check(state.standing !== 'withdrawn', 'state.withdrawn');
  return secretOf(state.seed, state.position);
}

/** Keep the server's acknowledgement, if it is one of what was sent last. Its signature is checked by
 * `hushvote verify`, against the key in the manifest.
 */
export function acknowledged(poll: Manifest, state: State, answer: unknown): State {
  const { request } = state;
  check(request !== null, 'state.unasked');
  const { reveals, receipt = receiptOf(reveals!), report } = request;
  const names = ['poll', 'receipt', 'leaf', ...(report ? ['salt'] : []), 'signature'];
  const given = members(answer, names, 'ack.form');
  const { leaf, salt, signature } = given;
  check(isHex(leaf, 64) && isHex(signature, 128) && (!report || isHex(salt, 32)), 'ack.form');
  check(given.poll === poll.digest, 'ack.poll');
  const asked = poll.mechanism.needsQuestion ? { question: state.question } : {};
  const right = report ? leafOf(salt as string, canonical({ receipt, ...asked, report })!) : '0'.repeat(64);
  check(given.receipt === receipt && leaf === right, 'ack.leaf');
  return {
    ...state,
    request: null,
    acknowledgement: given as unknown as Acknowledgement,
    position: state.position + (reveals && report ? 1 : 0),
    standing: report ? 'report' : 'withdrawn',
  };
}

/** Drop what was sent last. Only if the server has refused it: what it took stays taken. */
export function refused(state: State): State {
  return { ...state, request: null };
}

/** What lets the voter go on elsewhere. */
export function credentialOf({ poll, seed, position, spent, request, standing }: State): Credential {
  check(request === null, 'state.unanswered');
  check(standing === 'report', 'state.uncast');
  return { hushvote: 'credential', version: 1, poll, seed, position, draws: spent };
}

/** Go on with a downloaded credential: a change from it is always a new draw. */
export function resume(poll: Manifest, kept: unknown): State {
  const given = members(kept, ['hushvote', 'version', 'poll', 'seed', 'position', 'draws'], 'credential.form');
  const { seed } = given;
  const position = wholeWithin(given.position, 0, 16);
  const spent = wholeWithin(given.draws, 0, 17);
  const sound = given.hushvote === 'credential' && given.version === 1 && isHex(seed, 64);
  check(sound && position !== undefined && spent !== undefined, 'credential.form');
  check(given.poll === poll.digest, 'state.poll');
  const ledger = Array.from({ length: spent }, () => costOf(poll));
  return { ...begin(poll), seed, position, spent, ledger, standing: 'report' };
}

/** Erase everything that is kept, in place. */
export function forget(state: State): void {
  for (const name of Object.keys(state)) Reflect.deleteProperty(state, name);
}

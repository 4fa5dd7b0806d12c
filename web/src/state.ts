/** What the voter's device keeps of one poll, as plain data: save it before anything is sent. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { type Bits, secureBits } from './bits.js';
import { members } from './canonical.js';
import { wholeWithin } from './exact.js';
import type { Report } from './fields.js';
import { isHex, type Manifest, type Poll } from './poll.js';
import { check } from './refusal.js';
import type { Request } from './requests.js';
import { receiptOf, secretOf } from './secrets.js';

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

/** Never has random bits: from them and a report the ranking could be told. */
export interface State {
  readonly hushvote: 'voter';
  readonly version: 1;
  /** The digest of the poll. */
  readonly poll: string;
  /** From it follow all secrets and receipts. */
  readonly seed: string;
  /** Changes that were sent. */
  readonly position: number;
  /** Draws that were shown, also on other devices; at most 1 + changes. */
  readonly spent: number;
  readonly draws: readonly KeptDraw[];
  readonly ledger: readonly Entry[];
  /** What was sent last, to be sent again until it is acknowledged. */
  readonly request: Request | null;
  readonly acknowledgement: unknown;
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
  const question = options.question ? bytesToHex(options.question) : null;
  // --8<-- [start:vote]
  const same = state.draws.find(
    (draw) => draw.question === question && String(draw.ranking) === String(ranking),
  );
  if (same) return { state, report: same.report };
  check(state.spent <= poll.changes, 'state.spent');
  // --8<-- [end:vote]
  const { report, ranking: completed } = poll.draw(ranking, options);
  const { up, down } = poll.mechanism.epsilon;
  const cost = { poll: poll.digest, epsilon: Number(up) / Number(down) };
  return {
    report,
    state: {
      ...state,
      spent: state.spent + 1,
      draws: [...state.draws, { question, ranking: [...ranking], completed, report }],
      ledger: [...state.ledger, cost],
    },
  };
}

/** Cast a report, or change to it once one stands; `question` is the hash of the voter's code. */
export function send(poll: Manifest, state: State, report: Report, question?: Uint8Array): State {
  const secret = nextSecret(poll, state);
  if (state.standing === 'nothing') {
    const asked = question && { question: bytesToHex(question) };
    return { ...state, request: { poll: poll.digest, receipt: receiptOf(secret), ...asked, report } };
  }
  check(state.position < poll.changes, 'state.changes');
  const receipt = receiptOf(secretOf(state.seed, state.position + 1));
  const request = { poll: poll.digest, reveals: secret, receipt, report };
  return { ...state, position: state.position + 1, request };
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

/** Keep the server's acknowledgement of what was sent last. */
export function acknowledged(state: State, acknowledgement: unknown): State {
  check(state.request !== null, 'state.unasked');
  const standing = state.request.report ? 'report' : 'withdrawn';
  return { ...state, request: null, acknowledgement, standing };
}

export function credentialOf({ poll, seed, position, spent }: State): Credential {
  return { hushvote: 'credential', version: 1, poll, seed, position, draws: spent };
}

/** Go on with a downloaded credential: a change from it is always a new draw. */
export function resume(poll: Manifest, kept: unknown): State {
  const given = members(kept, ['hushvote', 'version', 'poll', 'seed', 'position', 'draws'], 'credential.form');
  const position = wholeWithin(given.position, 0, 16);
  const spent = wholeWithin(given.draws, 0, 17);
  const sound = given.hushvote === 'credential' && given.version === 1 && isHex(given.seed, 64);
  check(sound && position !== undefined && spent !== undefined, 'credential.form');
  check(given.poll === poll.digest, 'state.poll');
  return { ...begin(poll), seed: given.seed as string, position, spent, standing: 'report' };
}

/** Erase everything that is kept, in place. */
export function forget(state: State): void {
  for (const name of Object.keys(state)) Reflect.deleteProperty(state, name);
}

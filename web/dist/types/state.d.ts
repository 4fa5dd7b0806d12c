import { type Bits } from './bits.js';
import { type Report } from './fields.js';
import { type Manifest, type Poll } from './poll.js';
import type { Request } from './requests.js';
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
export declare function begin(poll: Manifest, bits?: Bits): State;
/** The report of a ranking: the one that was drawn for it before, or a fresh one, which is spent from
 * now on. Save the state before the report is shown.
 */
export declare function vote(poll: Poll, state: State, ranking: readonly number[], options?: {
    question?: Uint8Array;
    bits?: Bits;
}): {
    state: State;
    report: Report;
};
/** Cast a report, or change to it once one stands; `hash` is that of the voter's code. */
export declare function send(poll: Manifest, state: State, given: Report, hash?: Uint8Array): State;
/** Withdraw what was cast: final. */
export declare function withdraw(poll: Manifest, state: State): State;
/** Keep the server's acknowledgement, if it is one of what was sent last. Its signature is checked by
 * `hushvote verify`, against the key in the manifest.
 */
export declare function acknowledged(poll: Manifest, state: State, answer: unknown): State;
/** Drop what was sent last. Only if the server has refused it: what it took stays taken. */
export declare function refused(state: State): State;
/** What lets the voter go on elsewhere. */
export declare function credentialOf({ poll, seed, position, spent, request, standing }: State): Credential;
/** Go on with a downloaded credential: a change from it is always a new draw. */
export declare function resume(poll: Manifest, kept: unknown): State;
/** Erase everything that is kept, in place. */
export declare function forget(state: State): void;

/** One voter in one poll: what is known of the poll, and what this device keeps of the vote. */
import { secureBits } from '../../bits.js';
import { canonical } from '../../canonical.js';
import type { Report } from '../../fields.js';
import { distinct } from '../../lottery.js';
import { checkRanking, isHex, type Poll } from '../../poll.js';
import { questionOf } from '../../secrets.js';
import { begin, type State } from '../../state.js';
import { drop, keep, kept } from '../pieces/keeping.js';
import { dropLink, keepLink, type Link } from './link.js';

/** What the server tells of a poll beside its manifest. */
export interface Told {
  readonly state: 'open' | 'closed';
  readonly closes: number;
  readonly standing: number;
  readonly crowd_epsilon: number | null;
  readonly log: readonly { readonly at: number; readonly event: string }[];
}

/** What is kept; the ranking of the draft never leaves the device. */
export interface Kept {
  readonly state: State;
  /** The voter's own order of all candidates, drawn once. */
  readonly order: readonly number[];
  readonly draft: readonly number[];
  /** The report that stands, as far as this device has sent it. */
  readonly sent: Report | null;
  /** Whether what was sent last may have arrived, since no answer came. */
  readonly unsure: boolean;
  /** Whether the signature of the acknowledgement was checked here. */
  readonly checked: boolean;
}

const nameOf = (digest: string): string => `hushvote.vote.${digest}`;

export class Booth {
  /** What is kept, as it was saved last. */
  kept: Kept;
  told: Told | null = null;
  /** A change is being made of what stands. */
  changing = false;

  constructor(
    readonly poll: Poll,
    public link: Link,
  ) {
    this.kept = this.read() ?? this.fresh();
    this.save({}); // the order of the candidates stays the same from now on
    keepLink(link);
  }

  /** What was kept before, if it is of this poll and whole. */
  private read(): Kept | undefined {
    const found = kept(nameOf(this.poll.digest)) as Partial<Kept> | undefined;
    if (found?.state?.poll !== this.poll.digest || !isHex(found.state.seed, 64)) return undefined;
    const fresh = this.fresh();
    return {
      state: found.state,
      order: isRanking(this.poll, found.order, true) ? found.order : fresh.order,
      draft: isRanking(this.poll, found.draft) ? found.draft : [],
      sent: found.sent ?? null,
      unsure: found.unsure === true,
      checked: found.checked === true,
    };
  }

  private fresh(): Kept {
    const d = this.poll.candidates.length;
    const order = distinct(d, d, secureBits());
    return { state: begin(this.poll), order, draft: [], sent: null, unsure: false, checked: false };
  }

  /** Another page of this browser may have gone on with the same poll. */
  refresh(): void {
    this.kept = this.read() ?? this.kept;
  }

  save(changes: Partial<Kept>): void {
    this.kept = { ...this.kept, ...changes };
    keep(nameOf(this.poll.digest), this.kept);
  }

  useCode(code: string | null): void {
    this.link = { ...this.link, code };
    keepLink(this.link);
  }

  /** Whether the voter must give a code before anything can be drawn or sent. */
  get needsCode(): boolean {
    const { state } = this.kept;
    if (this.poll.access !== 'codes' || state.question !== null) return false;
    return state.standing === 'nothing' || this.poll.mechanism.needsQuestion;
  }

  /** The hash of the voter's code, as far as one is needed. */
  get question(): Uint8Array | undefined {
    const { code } = this.link;
    return this.needsCode && code !== null ? questionOf(this.poll.digest, code) : undefined;
  }

  /** The ranking behind what stands, if this device has drawn it: it is kept here until the device forgets. */
  get behind(): readonly number[] | null {
    const { sent, state: { draws } } = this.kept;
    if (!sent) return null;
    return [...draws].reverse().find(({ report }) => canonical(report) === canonical(sent))?.ranking ?? null;
  }

  /** Begin to change what stands, from its own ranking where that is known. */
  change(): void {
    this.changing = true;
    if (this.kept.draft.length === 0) this.save({ draft: this.behind ?? [] });
  }

  get isClosed(): boolean {
    return this.told?.state === 'closed'; // as the server says: a device's clock may be wrong
  }

  /** Whether leaving now would lose or delay something that the voter may believe done. */
  get isUncast(): boolean {
    const { state, draft } = this.kept;
    if (this.isClosed || state.standing === 'withdrawn') return false;
    if (state.request !== null) return true;
    return draft.length > 0 && (state.standing === 'nothing' || (this.changing && !this.isUnchanged(draft)));
  }

  /** Whether a ranking is the one behind what stands. */
  isUnchanged(ranking: readonly number[]): boolean {
    return this.changing && String(ranking) === String(this.behind);
  }

  forget(): void {
    drop(nameOf(this.poll.digest));
    dropLink(this.link.id);
  }
}

/** Different candidates: all of them, or any number. */
function isRanking(poll: Poll, given: unknown, whole = false): given is number[] {
  try {
    if (Array.isArray(given) && given.length === 0) return !whole;
    checkRanking({ ...poll, partial: !whole }, given);
    return true;
  } catch {
    return false;
  }
}

/** One poll and its organiser: the key, which is kept out of addresses, and what the server tells. */
import { openPoll } from '../../index.js';
import { isHex, type Poll } from '../../poll.js';
import { ask, type Asked, askJson, Trouble } from '../pieces/api.js';
import { drop, keep, kept } from '../pieces/keeping.js';
import { page } from '../pieces/frame.js';
import type { Hour } from './hours.js';

/** What the server tells the organiser, as of this moment. */
export interface Told {
  readonly digest: string;
  readonly state: 'open' | 'closed';
  readonly closes: number;
  /** When the server deletes all of it, if it closes as planned; null: never. */
  readonly kept_until: number | null;
  readonly standing: number;
  readonly casts: number;
  readonly changes: number;
  readonly withdrawals: number;
  readonly erasures: number;
  readonly codes: { readonly issued: number; readonly revoked: number } | null;
  readonly log: readonly Readonly<Record<string, number | string>>[];
  /** Votes cast by the hour. */
  readonly hours: readonly Hour[];
}

export const PART = 2000; // hashes of codes in one request

const keyName = (id: string): string => `hushvote.organiser.${id}`;
const madeName = (id: string): string => `hushvote.made.${id}`;

/** The key behind the #, taken out of the address and the history at once; else the kept one. */
export function takeKey(): { id: string; key: string | null } {
  const { pathname, search, hash } = location;
  if (hash) history.replaceState(null, '', pathname + search);
  const id = pathname.split('/')[2] ?? '';
  const before = kept(keyName(id));
  const key = hash ? hash.slice(1) : before;
  return { id, key: isHex(key, 64) ? key : null };
}

/** The key in a link that somebody pasted; null if there is none. */
export function keyIn(text: string, id: string): string | null {
  const [address = '', key] = text.trim().split('#');
  return address.endsWith(`/o/${id}`) && isHex(key, 64) ? key : null;
}

export class Desk {
  poll!: Poll;
  told!: Told;

  constructor(
    readonly id: string,
    private readonly key: string,
  ) {}

  /** Everything that there is to know, checked: the poll must be the one that was made here. */
  async open(): Promise<void> {
    this.told = (await this.own('')) as Told;
    const made = kept(madeName(this.id)) as { digest?: string } | undefined;
    const digest = made?.digest ?? this.told.digest;
    if (digest !== this.told.digest) throw new Trouble('other.poll', 400);
    try {
      this.poll = openPoll(await ask(`/polls/${this.id}/manifest`), digest);
    } catch (error) {
      if (error instanceof Trouble) throw error;
      throw new Trouble('other.poll', 400);
    }
    if (this.poll.id !== this.id) throw new Trouble('other.poll', 400);
  }

  async refresh(): Promise<void> {
    this.told = (await this.own('')) as Told;
  }

  /** When the poll was closed. */
  get closedAt(): number {
    return Number(this.told.log.find(({ event }) => event === 'closed')?.at ?? this.told.closes);
  }

  get isClosed(): boolean {
    return this.told.state === 'closed';
  }

  /** A request with the key, which travels in a header. */
  own(rest: string, asked: Omit<Asked, 'bearer'> = {}): Promise<unknown> {
    return askJson(`/polls/${this.id}${rest}`, { ...asked, bearer: this.key });
  }

  /** All reports as a file. */
  async export(kind: string): Promise<Blob> {
    const headers = { Authorization: `Bearer ${this.key}` };
    const path = `/api/v1/polls/${this.id}/export?kind=${kind}`;
    const given = { headers, cache: 'no-store', credentials: 'omit', mode: 'same-origin' } as const;
    const answer = await fetch(path, { ...given, referrerPolicy: 'no-referrer' }).catch(() => null);
    if (!answer) throw new Trouble('unreached', 0);
    if (!answer.ok) throw new Trouble(`status.${answer.status}`, answer.status);
    return answer.blob();
  }

  private get base(): string {
    return page().dataset.base ?? location.origin;
  }

  /** The link of the ballot, with a code if there is one. */
  ballotLink(code?: string): string {
    return `${this.base}/p/${this.id}#${this.poll.digest}${code === undefined ? '' : `.${code}`}`;
  }

  get organiserLink(): string {
    return `${this.base}/o/${this.id}#${this.key}`;
  }

  get isKept(): boolean {
    return kept(keyName(this.id)) === this.key;
  }

  keepKey(): void {
    keep(keyName(this.id), this.key);
  }

  dropKey(): void {
    drop(keyName(this.id));
  }

  forgetPoll(): void {
    this.dropKey();
    drop(madeName(this.id));
  }
}

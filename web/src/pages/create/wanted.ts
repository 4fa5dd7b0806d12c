/** A poll to be made: what is asked of the server, and whether that is what it made. */
import { openPoll } from '../../index.js';
import { newKey, organiserHash } from '../../organising.js';
import type { Poll } from '../../poll.js';
import { askJson, Trouble } from '../pieces/api.js';
import { keep } from '../pieces/keeping.js';

export const FEWEST = 20; // votes below which nothing is ever shown
export const MOST = 999_999_999; // people that can be invited

export interface Wanted {
  readonly question: string;
  readonly description: string;
  readonly candidates: readonly string[];
  readonly rule: string;
  readonly epsilon: string;
  readonly seats: number;
  readonly access: 'codes' | 'link';
  readonly changes: number;
  readonly partial: boolean;
  readonly turnout: number;
  readonly live: number;
  readonly closes: number;
}

/** Half of those invited, and never fewer than there must be. */
export const turnoutOf = (invited: number): number => Math.max(FEWEST, Math.ceil(invited / 2));

/** Make a poll; gives where its organiser's page is. The key itself is not sent. */
export async function make(wanted: Wanted, token: string | undefined): Promise<string> {
  const key = newKey();
  const body = JSON.stringify({ ...wanted, organiser: organiserHash(key) });
  const asked = { method: 'POST', body, ...(token !== undefined && { bearer: token }) };
  const made = (await askJson('/polls', asked)) as { manifest: string; digest: string; id: string; closes: number };
  const poll = opened(made.manifest, made.digest);
  if (poll?.id !== made.id || made.closes !== wanted.closes || !isAsked(poll, wanted)) {
    throw new Trouble('other.poll', 400);
  }
  keep(`hushvote.made.${poll.id}`, { digest: poll.digest }); // a server cannot show another one later
  return `/o/${poll.id}#${key}`;
}

/** The poll of a manifest, whose digest is computed again; undefined if it is none. */
function opened(manifest: string, digest: string): Poll | undefined {
  try {
    return openPoll(manifest, digest);
  } catch {
    return undefined;
  }
}

/** Whether a poll is the one that was asked for. */
function isAsked(poll: Poll, wanted: Wanted): boolean {
  const { mechanism } = poll;
  const names = ['question', 'description', 'seats', 'access', 'changes', 'partial', 'turnout', 'live'] as const;
  return (
    names.every((name) => poll[name] === wanted[name]) &&
    String(poll.candidates) === String(wanted.candidates) &&
    poll.candidates.length === wanted.candidates.length &&
    mechanism.name === 'duel' &&
    mechanism.rule.name === wanted.rule.replace(':k=', '-') &&
    isSame(mechanism.epsilon, wanted.epsilon)
  );
}

/** Whether a fraction is the one that is written as a decimal number. */
function isSame({ up, down }: { up: bigint; down: bigint }, text: string): boolean {
  const [whole = '0', part = ''] = text.split('.');
  return up * 10n ** BigInt(part.length) === BigInt(whole + part) * down;
}

/** A poll as its manifest describes it: opened only if everything in it is as it should be. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { type Bits, secureBits } from './bits.js';
import { digestOf, members, parse } from './canonical.js';
import { expBelow, type Fraction, wholeWithin } from './exact.js';
import { type Report, readReport } from './fields.js';
import { distinct } from './lottery.js';
import type { Kind, Mechanism, Say } from './mechanisms/mechanism.js';
import { readMechanism } from './parameters.js';
import { check } from './refusal.js';
import { fits, isHidden, name } from './texts.js';

const MEMBERS = [
  ...['hushvote', 'version', 'id', 'question', 'description', 'candidates', 'mechanism', 'seats'],
  ...['access', 'changes', 'partial', 'turnout', 'live', 'server'],
];
const LONGEST = 1 << 18; // bytes of a manifest

/** What the manifest says, read and checked. */
export interface Manifest {
  readonly digest: string;
  readonly id: string;
  readonly question: string;
  readonly description: string;
  readonly candidates: readonly string[];
  readonly mechanism: Mechanism;
  readonly seats: number;
  readonly access: 'link' | 'codes';
  /** How often a vote may be changed. */
  readonly changes: number;
  /** Whether a ranking may leave candidates out. */
  readonly partial: boolean;
  /** Standing reports without which there is no result. */
  readonly turnout: number;
  readonly live: number;
  readonly server: string;
}

/** What was found when a poll was checked, for the voter to see. */
export interface Checked {
  readonly digest: string;
  /** The local epsilon, as a fraction. */
  readonly epsilon: string;
  /** By how much whoever sees a report can multiply their odds about the vote: rounded up. */
  readonly factor: string;
  /** The same for whoever sees as many reports as one voter may draw: 1 + changes. */
  readonly factorOfAll: string;
}

export interface Drawn {
  readonly report: Report;
  /** The whole ranking that the report was drawn for. */
  readonly ranking: readonly number[];
}

export interface Poll extends Manifest {
  /** Check everything once more, from the text on. */
  check(): Checked;
  /** Randomise one vote. Do so once: to draw again until a report pleases breaks its privacy. */
  draw(ranking: readonly number[], options?: { question?: Uint8Array; bits?: Bits }): Drawn;
  /** A report as a sentence, in the language of `say`. */
  words(report: unknown, say: Say): string;
}

/** A way to open polls of these kinds of mechanisms. */
export function opener(kinds: readonly Kind[]): (text: string, digest: string) => Poll {
  return (text, digest) => {
    const manifest = readManifest(text, digest, kinds);
    const { candidates, mechanism, partial } = manifest;
    const d = candidates.length;
    return {
      ...manifest,
      check() {
        const { epsilon } = readManifest(text, digest, kinds).mechanism;
        return {
          digest,
          epsilon: mechanism.given.epsilon as string,
          factor: factorOf(epsilon, 1),
          factorOfAll: factorOf(epsilon, 1 + manifest.changes),
        };
      },
      // --8<-- [start:draw]
      draw(given, { question, bits = secureBits() } = {}) {
        check(!mechanism.needsQuestion || question !== undefined, 'question.missing');
        check(mechanism.needsQuestion || question === undefined, 'question.needless');
        check(question === undefined || question.length === 32, 'question.hash');
        checkRanking(manifest, given);
        const rest = partial ? distinct(d, d, bits).filter((j) => !given.includes(j)) : [];
        const ranking = [...given, ...rest];
        return { report: mechanism.draw(ranking, bits, question), ranking };
      },
      // --8<-- [end:draw]
      words: (report, say) => mechanism.words(readReport(mechanism.fields, report), candidates, say),
    };
  };
}

/** All checks, in the order that conformance/README.md states. */
function readManifest(text: string, digest: string, kinds: readonly Kind[]): Manifest {
  // --8<-- [start:digest]
  check(typeof text === 'string', 'poll.json');
  check(utf8ToBytes(text).length <= LONGEST, 'poll.size');
  check(/^[0-9a-f]{64}$/.test(digest) && digestOf(text) === digest, 'poll.digest');
  const given = members(parse(text, 'poll'), MEMBERS, 'poll.member');
  // --8<-- [end:digest]
  check(given.hushvote === 'poll' && given.version === 1, 'poll.version');
  const { id, question, description, access, partial, server } = given;
  check(isHex(id, 32), 'poll.id');
  check(fits(question, 1, 500) && !isHidden(question), 'poll.text', 'question');
  check(fits(description, 0, 5000) && !isHidden(description, true), 'poll.text', 'description');
  const candidates = readNames(given.candidates);
  const d = candidates.length;
  const mechanism = readMechanism(given.mechanism, kinds);
  check(mechanism.d === d, 'poll.candidates');
  const key = (given.mechanism as { key?: string }).key;
  check(key === undefined || key === id, 'poll.key');
  const seats = wholeWithin(given.seats, 1, d - 1);
  check(seats !== undefined, 'poll.seats');
  check(access === 'codes' || (access === 'link' && !mechanism.needsQuestion), 'poll.access');
  const changes = wholeWithin(given.changes, 0, 16);
  check(changes !== undefined, 'poll.changes');
  check(typeof partial === 'boolean', 'poll.partial');
  const turnout = wholeWithin(given.turnout, 20, 1e9);
  check(turnout !== undefined, 'poll.turnout');
  const live = given.live === 0 ? 0 : wholeWithin(given.live, 20, 1e9);
  check(live !== undefined, 'poll.live');
  check(isHex(server, 64), 'poll.server');
  const shown = { digest, id, question, description, candidates, mechanism };
  return { ...shown, seats, access, changes, partial, turnout, live, server };
}

function readNames(given: unknown): string[] {
  check(Array.isArray(given) && given.length >= 2 && given.length <= 64, 'name.number');
  return given.map((text: unknown) => {
    const found = name(text, 200);
    check(given.indexOf(text) === given.lastIndexOf(text), 'name.duplicate');
    return found;
  });
}

/** Whether this is text of so many hexadecimal digits in lower case. */
export function isHex(text: unknown, length: number): text is string {
  return typeof text === 'string' && text.length === length && /^[0-9a-f]*$/.test(text);
}

/** Different candidates, best first: all of them, or at least one where it may be partial. */
export function checkRanking({ candidates, partial }: Manifest, ranking: unknown): void {
  const d = candidates.length;
  check(Array.isArray(ranking), 'ranking.length');
  check(ranking.length === d || (partial && ranking.length >= 1 && ranking.length < d), 'ranking.length');
  for (const j of ranking as unknown[]) check(wholeWithin(j, 0, d - 1) !== undefined, 'ranking.candidate');
  check(new Set(ranking).size === ranking.length, 'ranking.duplicate');
}

/** e to so many times epsilon with three digits, never less than it is. */
export function factorOf(epsilon: Fraction, times: number): string {
  const { up, down } = expBelow(epsilon);
  const short = 10n ** 60n; // the sum is short of it by less than one over this
  const n = BigInt(times);
  return threeDigits((100n * (up * short + down) ** n) / (down * short) ** n + 1n);
}

/** So many hundredths, of which there is at least one whole, with three digits, rounded up. */
export function threeDigits(hundredths: bigint): string {
  const left = 10n ** BigInt(hundredths.toString().length - 3);
  const digits = (((hundredths + left - 1n) / left) * left).toString();
  const whole = digits.slice(0, -2);
  const behind = Math.max(0, 3 - whole.length);
  return behind === 0 ? whole : `${whole}.${digits.slice(-2).slice(0, behind)}`;
}


/** Counting a poll again from its board, check by check; what cannot be checked here is told as well. */
import { canonical, digestOf, isObject, type JsonObject, parse } from '../../canonical.js';
import { counting } from '../../count/index.js';
import { Tree } from '../../count/tree.js';
import { isHex, type Poll } from '../../poll.js';
import { isRefusal } from '../../refusal.js';
import { leafOf } from '../../secrets.js';
import { type Header, readHeader } from './header.js';
import { pauses } from './pausing.js';
import { isSigned } from './signing.js';

const CLOSE = 1e-9; // difference, relative to the largest score, that another machine may make

export const CHECKS = ['poll', 'signed', 'lines', 'tree', 'numbers', 'tally', 'scores'] as const;
export type Check = (typeof CHECKS)[number];

export interface Recount {
  /** Each check, and whether it holds; undefined where the browser cannot tell. */
  readonly checks: ReadonlyMap<Check, boolean | undefined>;
  /** The first line that is damaged. */
  readonly line: number | null;
  /** The board's digest. */
  readonly digest: string;
  readonly n: number;
  readonly scores: readonly number[];
}

/** Whether everything holds that the browser can tell. */
export const isSound = ({ checks }: Recount): boolean => ![...checks.values()].includes(false);

/** What a published result tells of each candidate. */
export interface Published {
  readonly n: number;
  readonly candidates: readonly { readonly candidate: string; readonly score: number }[];
}

/** Count the lines of a board again, and compare with what was published. */
export async function recount(
  poll: Poll,
  pieces: AsyncIterable<readonly string[]>,
  published: Published,
  progress: (done: number) => void,
): Promise<Recount> {
  let header: Header | undefined;
  let number = 0;
  let damaged: number | null = null;
  let last = '';
  const pause = pauses();
  const tree = new Tree();
  const begun = counting(poll);
  const erased: string[] = [];
  const add = (line: string): void => {
    const entry = parse(line, 'board');
    if (!isObject(entry)) throw new Error();
    if (isHex(entry.leaf, 64) && Object.keys(entry).length === 1) {
      tree.add(entry.leaf);
      erased.push(entry.leaf);
      return;
    }
    const { salt, ...unsalted } = entry;
    const isNext = isHex(entry.receipt, 64) && entry.receipt > last && isHex(salt, 32);
    if (!isNext || !hasMembers(unsalted, poll)) throw new Error();
    last = entry.receipt as string;
    begun.add(entry.report);
    tree.add(leafOf(salt, canonical(unsalted)!));
  };
  reading: for await (const lines of pieces) {
    for (const line of lines) {
      number++;
      if (number === 1) {
        header = await readHeader(line, pause);
        if (!header) break reading;
        continue;
      }
      if (damaged !== null) continue;
      try {
        add(line);
      } catch (error) {
        if (!(error instanceof Error) && !isRefusal(error)) throw error;
        damaged = number;
      }
      if (await pause()) progress(number - 1);
    }
  }
  const { n, counts, scores } = begun.done();
  const checks = new Map<Check, boolean | undefined>();
  if (!header) return { checks: new Map([['lines', false]]), line: 1, digest: '', n, scores };
  const { members, digest, signature } = header;
  checks.set('poll', digestOf(canonical(members.manifest) ?? '') === poll.digest);
  checks.set('signed', await isSigned(poll.server, 'hushvote board', [digest], signature));
  checks.set('lines', damaged === null);
  checks.set('tree', tree.root === members.root && canonical(erased.sort()) === canonical(members.erased));
  const { casts, withdrawals, erasures } = members as Record<string, number>;
  checks.set('numbers', erasures === erased.length && casts! - withdrawals! - erasures === n);
  checks.set('tally', canonical({ n, counts }) === canonical(members.tally));
  checks.set('scores', sameScores(poll, n, scores, members, published));
  return { checks, line: damaged, digest, n, scores };
}

/** A line has a receipt and a report, and where the mechanism asks, its question. */
function hasMembers(entry: JsonObject, { mechanism }: Poll): boolean {
  const wanted = mechanism.needsQuestion ? ['question', 'receipt', 'report'] : ['receipt', 'report'];
  return canonical(Object.keys(entry).sort()) === canonical(wanted);
}

/** Whether the header and the published result have these scores, but for rounding. */
function sameScores(
  { candidates }: Poll,
  n: number,
  scores: readonly number[],
  { result }: JsonObject,
  published: Published,
): boolean {
  const signed = isObject(result) && Array.isArray(result.scores) ? result.scores.map(Number) : [];
  const told = new Map(published.candidates.map(({ candidate, score }) => [candidate, score]));
  const slack = CLOSE * Math.max(1, ...scores.map(Math.abs));
  const isClose = (a: number, b: number | undefined): boolean => b !== undefined && Math.abs(a - b) <= slack;
  return (
    published.n === n &&
    signed.length === scores.length &&
    told.size === scores.length &&
    scores.every((score, j) => isClose(score, signed[j]) && isClose(score, told.get(candidates[j]!)))
  );
}

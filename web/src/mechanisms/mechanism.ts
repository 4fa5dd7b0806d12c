/** What every mechanism is: a rule, an epsilon, odds that keep it, and a way to draw a report. */
import type { Bits } from '../bits.js';
import type { JsonObject } from '../canonical.js';
import type { Fraction } from '../exact.js';
import type { Field, Report } from '../fields.js';
import type { Rule } from '../rule.js';

export interface Base {
  readonly name: string;
  /** The parameters themselves. */
  readonly given: JsonObject;
  readonly rule: Rule;
  readonly d: number;
  readonly epsilon: Fraction;
  /** How many times likelier a report may be under one vote than under another, A/B. */
  readonly odds: Fraction;
}

/** Says a message of the catalogue: `say('report.named', { names: 'Ann' })`. */
export type Say = (key: string, values?: Record<string, string | number>) => string;

export interface Mechanism extends Base {
  readonly fields: readonly Field[];
  /** Whether a hash of 32 bytes fixes what to report on. */
  readonly needsQuestion: boolean;
  /** The normative draw, the same in every language to the bit. */
  draw(ranking: readonly number[], bits: Bits, question?: Uint8Array): Report;
  /** How likely a ranking is to send a report, up to a factor that all rankings share; where that is
   * easily said. For showing who else could have sent it.
   */
  weight?(report: Report, ranking: readonly number[]): bigint;
  /** One report as a sentence for the voter. */
  words(report: Report, candidates: readonly string[], say: Say): string;
}

/** A mechanism by name, which reads its own members of the parameters. */
export interface Kind {
  readonly name: string;
  readonly members: readonly string[];
  read(base: Base): Mechanism;
}

export const named = (candidates: readonly string[], group: unknown): string[] =>
  (group as number[]).map((j) => candidates[j] as string);

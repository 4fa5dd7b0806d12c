/** A voting rule: a name, and what the candidate at each rank scores. */
import type { JsonObject } from './canonical.js';
import { absolute, common, compare, type Fraction, fraction } from './exact.js';
import { check } from './refusal.js';
import { name } from './texts.js';

export interface Rule {
  readonly name: string;
  readonly scores: readonly Fraction[];
  /** The scores as the smallest whole numbers, times `scale`. */
  readonly whole: readonly bigint[];
  readonly scale: bigint;
}

const LARGEST_SCORE = 10n ** 12n;
const LARGEST_SCALE = 10n ** 60n;

/** Read a rule of 2 to 64 scores that do not rise and are not all equal. */
export function readRule(given: JsonObject): Rule {
  check(Array.isArray(given.scores), 'rule.scores', 'not a list');
  const scores = given.scores.map(fraction);
  check(scores.length >= 2 && scores.length <= 64, 'rule.size');
  const called = name(given.name, 80);
  const sizes = scores.every(
    ({ up, down }) => absolute(up) <= LARGEST_SCORE * down && down <= LARGEST_SCALE,
  );
  check(sizes, 'rule.scores', 'too large');
  const falls = scores.every((w, r) => r === 0 || compare(scores[r - 1] as Fraction, w) >= 0);
  check(falls, 'rule.scores', 'they rise');
  const rule = { name: called, scores, ...common(scores) };
  check(rule.scale <= LARGEST_SCALE, 'rule.scores', 'no common denominator');
  check(rule.whole[0] !== rule.whole.at(-1), 'rule.scores', 'all equal');
  check(isAsNamed(rule), 'rule.scores', `not those of ${called}`);
  return rule;
}

const KNOWN: Record<string, (place: number, d: number, k: number) => string> = {
  borda: (place, d) => String(d - place),
  nauru: (place) => (place === 1 ? '1' : `1/${place}`),
  plurality: (place) => (place === 1 ? '1' : '0'),
  antiplurality: (place, d) => (place < d ? '1' : '0'),
  approval: (place, _, k) => (place <= k ? '1' : '0'),
};

/** Whether a rule that bears a known name has its scores. */
function isAsNamed({ name, scores }: Rule): boolean {
  const [base, k] = name.split(/-(.*)/s) as [string, string?];
  const known = Object.hasOwn(KNOWN, base) ? KNOWN[base] : undefined;
  if (!known) return true;
  const d = scores.length;
  const takes = base === 'approval';
  if (takes ? !/^[1-9][0-9]?$/.test(k ?? '') || Number(k) >= d : k !== undefined) return false;
  return scores.every((w, r) => compare(w, fraction(known(r + 1, d, Number(k)))) === 0);
}

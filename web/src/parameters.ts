/** A mechanism from its parameters, each checked in the order that conformance/README.md states. */
import { isObject, members } from './canonical.js';
import { compare, expBelow, type Fraction, fraction, whole } from './exact.js';
import type { Kind, Mechanism } from './mechanisms/mechanism.js';
import { check, Refusal } from './refusal.js';
import { readRule } from './rule.js';

const LEAST_EPSILON = { up: 1n, down: 10n ** 6n };
const LARGEST_EPSILON = { up: 10n, down: 1n };

/** Read a mechanism of one of these kinds, or refuse parameters that do not keep their promise. */
export function readMechanism(given: unknown, kinds: readonly Kind[]): Mechanism {
  check(isObject(given) && (given.mechanism ?? null) !== null, 'parameters.member', 'mechanism');
  const kind = kinds.find(({ name }) => name === given.mechanism);
  if (!kind) throw new Refusal('parameters.mechanism');
  const expected = ['mechanism', 'rule', 'epsilon', 'odds', ...kind.members];
  members(given, expected, 'parameters.member');
  const scored = members(given.rule, ['name', 'scores'], 'parameters.member');
  const rule = readRule(scored);
  const epsilon = fraction(given.epsilon);
  const fits = compare(epsilon, LEAST_EPSILON) >= 0 && compare(epsilon, LARGEST_EPSILON) <= 0;
  check(fits, 'parameters.epsilon');
  const odds = readOdds(given.odds, epsilon);
  return kind.read({ name: kind.name, given, rule, d: rule.scores.length, epsilon, odds });
}

// --8<-- [start:odds]
/** Odds A/B above 1 that are at most e to the epsilon: privacy rests on this line. */
function readOdds(given: unknown, epsilon: Fraction): Fraction {
  const [up, down] = Array.isArray(given) && given.length === 2 ? given.map(whole) : [];
  const usable = up !== undefined && down !== undefined && 0n < down && down < up && up < 1n << 64n;
  check(usable, 'parameters.odds', 'form');
  check(compare({ up, down }, expBelow(epsilon)) <= 0, 'parameters.odds', 'above e^epsilon');
  return { up, down };
}
// --8<-- [end:odds]

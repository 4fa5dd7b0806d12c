/** Messages with named values in them, written as in the Python catalogue that they come from. */
import type { Say } from '../mechanisms/mechanism.js';
import type { Refusal } from '../refusal.js';

export type Messages = Readonly<Record<string, string>>;

const PLACE = /\{\{|\}\}|\{(\w+)(?::\.(\d)f)?\}/g;

/** Says messages of one language, with its sign before decimals. */
export function speaker(messages: Messages, decimal = '.'): Say {
  return (key, values = {}) =>
    (messages[key] ?? key).replace(PLACE, (found: string, name?: string, digits?: string) => {
      if (name === undefined) return found.charAt(0);
      const value = values[name];
      if (!digits || typeof value !== 'number') return String(value);
      return fixed(value, Number(digits)).replace('.', decimal);
    });
}

/** With so many digits behind the point, halves to even, as the Python package writes numbers. */
function fixed(value: number, digits: number): string {
  const half = value * 2 ** (digits + 1); // a whole number that is odd, if it lies between two others
  const up = value.toFixed(digits);
  if (Math.abs(half % 2) !== 1 || Number(up.at(-1)) % 2 === 0) return up;
  return (value - Math.sign(value) * 0.5 * 10 ** -digits).toFixed(digits);
}

/** Why something was refused, in a sentence for the voter: that of its code, or of its kind. */
export function explainer(refusals: Messages): (refusal: Pick<Refusal, 'code'>) => string {
  const say = speaker(refusals);
  return ({ code }) => {
    const kinds = [code, code.replace(/\..*/, '')];
    return say(kinds.find((key) => Object.hasOwn(refusals, key)) ?? '', { code });
  };
}

/** Messages with named values in them, written as in the Python catalogue that they come from. */
import type { Say } from '../mechanisms/mechanism.js';
import type { Refusal } from '../refusal.js';

export type Messages = Readonly<Record<string, string>>;

const PLACE = /\{\{|\}\}|\{(\w+)(?::\.(\d)f)?\}/g;

/** Says messages of one language. */
export function speaker(messages: Messages): Say {
  return (key, values = {}) =>
    (messages[key] ?? key).replace(PLACE, (found: string, name?: string, digits?: string) => {
      if (name === undefined) return found.charAt(0);
      const value = values[name];
      return digits && typeof value === 'number' ? value.toFixed(Number(digits)) : String(value);
    });
}

/** Why something was refused, in a sentence for the voter: that of its code, or of its kind. */
export function explainer(refusals: Messages): (refusal: Pick<Refusal, 'code'>) => string {
  const say = speaker(refusals);
  return ({ code }) => {
    const kinds = [code, code.replace(/\..*/, '')];
    return say(kinds.find((key) => Object.hasOwn(refusals, key)) ?? '', { code });
  };
}

/** Words, numbers and times in the language of the page. */
import { language, say, shared, signs } from '#words';
import type { Fraction } from '../../exact.js';
import { type Messages, speaker } from '../../messages/say.js';
import { factorOf } from '../../poll.js';

export type Values = Record<string, string | number>;

/** Says the messages of one page; a key that is not there is a mistake that the compiler sees. */
export function teller<T extends Messages>(messages: T): (key: keyof T & string, values?: Values) => string {
  return speaker(messages);
}

/** What several pages say. */
export const tell = teller(shared);

/** Names one after the other, as people list them. */
export function listed(names: readonly string[]): string {
  const [last = '', ...others] = [...names].reverse();
  return others.length === 0 ? last : say('list.and', { most: others.reverse().join(say('list.comma')), last });
}

/** A whole number. */
export function count(number: number): string {
  return grouped(String(number));
}

/** A number that is written with a point and no groups, as the checks give it. */
export function written(text: string): string {
  const [whole = '', part] = text.split('.');
  return part === undefined ? grouped(whole) : grouped(whole) + signs.decimal + part;
}

/** By how much whoever sees so many reports can multiply their odds about the vote. */
export function oddsOf(epsilon: Fraction | number, times = 1): string {
  return written(factorOf(typeof epsilon === 'number' ? upward(epsilon) : epsilon, times));
}

/** Two digits behind the point, never less than it is. */
export function roundedUp(x: number): string {
  return written((Math.ceil(x * 100 - 1e-9) / 100).toFixed(2));
}

/** A fraction that is not below a number, and hardly above it. */
function upward(x: number): Fraction {
  return { up: BigInt(Math.ceil(x * 1e9)), down: 1_000_000_000n };
}

/** An epsilon as people write it, never less than it is. */
export function epsilonOf({ up, down }: Fraction): string {
  return written(String(Number((up * 10_000n + down - 1n) / down) / 10_000));
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, signs.thousands);
}

/** A time in seconds as people here write it, with their zone. */
export function moment(seconds: number): string {
  const form = { dateStyle: 'long', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(place(), form).format(new Date(seconds * 1000));
}

/** The browser's own variant of the page's language, if it has one. */
function place(): string {
  return navigator.languages.find((one) => one === language || one.startsWith(`${language}-`)) ?? language;
}

/** JSON that has one form only (RFC 8785, whole numbers below 2^53), and digests of it. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { check, Refusal } from './refusal.js';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

const DEEPEST = 32;

/** The canonical text of a value; undefined for what has none. */
export function canonical(value: unknown, depth = 0): string | undefined {
  if (depth > DEEPEST) return undefined;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value === 'string') return isText(value) ? JSON.stringify(value) : undefined;
  if (typeof value !== 'object') return undefined;
  const parts: string[] = [];
  const names = Array.isArray(value) ? undefined : Object.keys(value).sort();
  const items: unknown[] = names ? names.map((name) => (value as JsonObject)[name]) : (value as unknown[]);
  for (const [i, item] of items.entries()) {
    const written = canonical(item, depth + 1);
    const name = names && canonical(names[i]);
    if (written === undefined || (names && name === undefined)) return undefined;
    parts.push(name === undefined ? written : `${name}:${written}`);
  }
  return names ? `{${parts.join(',')}}` : `[${parts.join(',')}]`;
}

/** Whether a text has no half of a surrogate pair. */
function isText(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** Read a text that must be its own canonical form; `area` begins the code of a refusal. */
export function parse(text: string, area: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new Refusal(`${area}.json`);
  }
  check(canonical(value) === text, `${area}.canonical`);
  return value;
}

/** An object with these members, none of them null, and no others. */
export function members(value: unknown, names: readonly string[], code: string): JsonObject {
  check(isObject(value), code, 'not an object');
  for (const name of names) check((value[name] ?? null) !== null, code, `${name} is missing`);
  for (const name of Object.keys(value)) check(names.includes(name), code, `${name} is unknown`);
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** SHA-256 of a text, in hexadecimal digits. */
export function digestOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

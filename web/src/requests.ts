/** What the device sends: a cast, a change or a withdrawal, all of one length. */
import { canonical } from './canonical.js';
import type { Field, Report } from './fields.js';
import type { Manifest } from './poll.js';
import { check } from './refusal.js';

export interface Request {
  readonly poll: string;
  readonly receipt?: string;
  readonly reveals?: string;
  readonly question?: string;
  readonly report?: Report;
}

const STEP = 1024; // bytes that lengths are rounded up to
const HASH = '0'.repeat(64);

/** The body of a request: its JSON, and spaces up to the length that all requests to the poll have. */
export function bodyOf(poll: Manifest, request: Request): string {
  const size = requestSize(poll);
  const text = written(request);
  check(text.length <= size, 'request.size');
  return text.padEnd(size);
}

/** Bytes of every request to a poll: the longest that its mechanism can need, rounded up. */
export function requestSize({ mechanism: { fields } }: Manifest): number {
  const around = written({ poll: HASH, receipt: HASH, question: HASH, report: 0 }).length - 1;
  const report = fields.reduce((all, field) => all + written(field.name).length + 2 + longest(field), 1);
  return Math.ceil((around + report) / STEP) * STEP;
}

/** Of a number the lowest or the highest; of a set the last candidates, as many as it can have. */
function longest({ kind, low, high, sizes }: Field): number {
  if (kind !== 'set') return Math.max(...[low, high].map((x) => written(x).length));
  const size = sizes ? Math.max(...sizes) : high + 1;
  return written(Array.from({ length: size }, (_, i) => high + 1 - size + i)).length;
}

/** The canonical text, all of it ASCII: names of members, numbers and hexadecimal digits. */
function written(value: unknown): string {
  const text = canonical(value);
  check(text !== undefined, 'request.json');
  return text;
}

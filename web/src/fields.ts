/** The fields of a report, and whether one is a report that the mechanism can send. */
import { isObject, type Json } from './canonical.js';
import { whole } from './exact.js';
import { check } from './refusal.js';

/** What leaves the device: sets of candidates as rising lists, numbers as they are. */
export type Report = Record<string, number | number[]>;

export interface Field {
  readonly name: string;
  readonly kind: 'type' | 'set' | 'number';
  readonly low: number;
  readonly high: number;
  /** Of a set: how many candidates it has, for each type. */
  readonly sizes?: readonly number[];
  /** Of a set: the sets before it, if no candidate is in two of them. */
  readonly apart?: readonly string[];
}

export const typeField = (name: string, count: number): Field => ({
  name,
  kind: 'type',
  low: 0,
  high: count - 1,
});

export const setField = (
  name: string,
  d: number,
  sizes?: readonly number[],
  apart?: readonly string[],
): Field => ({ name, kind: 'set', low: 0, high: d - 1, ...(sizes && { sizes }), ...(apart && { apart }) });

export const numberField = (name: string, low: number, high: number): Field => ({
  name,
  kind: 'number',
  low,
  high,
});

/** Read a report strictly: every field, nothing else, all in the domain. */
export function readReport(fields: readonly Field[], wire: unknown): Report {
  check(isObject(wire), 'report.form', 'not an object');
  const all = fields.every(({ name }) => Object.hasOwn(wire, name));
  check(all && Object.keys(wire).length === fields.length, 'report.field');
  const report: Report = {};
  let type = 0;
  let taken = new Uint8Array();
  let shared = '';
  for (const { name, kind, low, high, sizes, apart } of fields) {
    const value: Json | undefined = wire[name];
    if (kind === 'set') {
      const set = readSet(value, name, high);
      check(!sizes || set.length === sizes[type], 'report.size', name);
      report[name] = set;
      if (!apart) continue;
      if (apart.length === 0) taken = new Uint8Array(high + 1);
      for (const j of set) if (taken[j]!++) shared ||= name;
    } else {
      const number = whole(value);
      check(number !== undefined, 'report.form', name);
      check(number >= BigInt(low) && number <= BigInt(high), 'report.range', name);
      report[name] = Number(number);
      if (kind === 'type') type = Number(number);
    }
  }
  check(!shared, 'report.overlap', shared);
  return report;
}

/** Different candidates in rising order. */
function readSet(value: unknown, name: string, high: number): number[] {
  check(Array.isArray(value), 'report.form', name);
  let last = -1;
  for (const j of value as unknown[]) {
    check(Number.isInteger(j) && (j as number) > last && (j as number) <= high, 'report.form', name);
    last = j as number;
  }
  return value as number[];
}

/** A set of candidates as it stands on the wire. */
export function rising(candidates: readonly number[]): number[] {
  return [...candidates].sort((a, b) => a - b);
}

/** The fields of a report, and whether one is a report that the mechanism can send. */
import { isObject, type Json, type JsonObject } from './canonical.js';
import { whole } from './exact.js';
import { check, Refusal } from './refusal.js';

/** What leaves the device: sets of candidates as rising lists, numbers as they are. */
export type Report = Record<string, number | number[]>;

export interface Field {
  readonly name: string;
  readonly kind: 'type' | 'set' | 'number';
  readonly low: number;
  readonly high: number;
  /** Of a set: how many candidates it has, for each type. */
  readonly sizes?: readonly number[];
  /** Of a set: sets that share no candidate with it. */
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
  const names = fields.map((field) => field.name);
  const all = names.every((name) => Object.hasOwn(wire, name));
  check(all && Object.keys(wire).length === names.length, 'report.field');
  const report: Report = {};
  let type = 0;
  for (const field of fields) {
    const value = readField(field, wire);
    report[field.name] = value;
    if (field.kind === 'type') type = value as number;
    if (field.sizes) check((value as number[]).length === field.sizes[type], 'report.size', field.name);
  }
  for (const { name, apart } of fields) {
    for (const other of apart ?? []) {
      const taken = new Set(report[other] as number[]);
      check(!(report[name] as number[]).some((j) => taken.has(j)), 'report.overlap', name);
    }
  }
  return report;
}

function readField({ name, kind, low, high }: Field, wire: JsonObject): number | number[] {
  const value: Json | undefined = wire[name];
  if (kind === 'set') {
    const rising =
      Array.isArray(value) &&
      value.every((j, i) => Number.isInteger(j) && (j as number) > (i ? (value[i - 1] as number) : -1));
    check(rising && (value.length === 0 || (value.at(-1) as number) <= high), 'report.form', name);
    return value as number[];
  }
  const number = whole(value);
  if (number === undefined) throw new Refusal('report.form', name);
  check(number >= BigInt(low) && number <= BigInt(high), 'report.range', name);
  return Number(number);
}

/** A set of candidates as it stands on the wire. */
export function rising(candidates: readonly number[]): number[] {
  return [...candidates].sort((a, b) => a - b);
}

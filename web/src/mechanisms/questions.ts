/** What duel and challenge share: questions about groups of candidates. */
import { isObject, type JsonObject } from '../canonical.js';
import { absolute, whole } from '../exact.js';
import { type Field, type Report, rising, setField, typeField } from '../fields.js';
import { check, Refusal } from '../refusal.js';
import { named, type Say } from './mechanism.js';

const GROUPS = ['plus', 'minus', 'best', 'worst'] as const;
const MARKS = ['gain', 'loss', 'high', 'low'] as const;
const FEW = 7; // candidates up to which there are finer questions
const WHOLE = 1n << 32n;
const MOST_CELLS = 1 << 22;
const ALL_CELLS = 1 << 26;

/** Disjoint groups of ranks pass if the sum of mark times weight over their members reaches the
 * threshold.
 */
export interface Question {
  /** Of the groups: two, or four in a finer question. */
  readonly sizes: readonly number[];
  /** What a member of each group counts; below 0 in the second and fourth. */
  readonly marks: readonly number[];
  readonly weights: readonly number[];
  readonly threshold: number;
  readonly share: bigint;
  readonly step: bigint;
}

/** Read the questions, or refuse what could not be drawn or counted. */
export function readQuestions(given: unknown, d: number, finer: boolean): Question[] {
  check(Array.isArray(given) && given.length >= 1 && given.length <= d, 'question.number');
  const forms = given.map(readForm);
  let cells = 0;
  const questions = forms.map((form) => {
    const question = readQuestion(form, d, finer);
    cells += cellsOf(question, d);
    return question;
  });
  check(cells <= ALL_CELLS, 'parameters.cost', 'questions');
  check(questions.reduce((all, { share }) => all + share, 0n) === WHOLE, 'question.share', 'sum');
  return questions;
}

type Form = Record<string, bigint> & { groups: never };

/** All entries as whole numbers, none missing and none unknown. */
function readForm(given: unknown): { entries: Form; weights: bigint[] } {
  check(isObject(given), 'question.form');
  const groups = 'worst' in given ? 4 : 2;
  const names = [...GROUPS.slice(0, groups), ...MARKS.slice(0, groups), 'threshold', 'share', 'step'];
  const known = Object.keys(given).every((name) => name === 'weights' || names.includes(name));
  check(known && Array.isArray(given.weights), 'question.form');
  const entries = Object.fromEntries(names.map((name) => [name, number(given, name)])) as Form;
  const weights = given.weights.map((w) => number({ w }, 'w'));
  return { entries, weights };
}

function number(given: JsonObject, name: string): bigint {
  const found = whole(given[name]);
  if (found === undefined) throw new Refusal('question.form', name);
  return found;
}

function readQuestion({ entries, weights }: ReturnType<typeof readForm>, d: number, finer: boolean): Question {
  const groups = 'worst' in entries ? 4 : 2;
  check(groups === 2 || (finer && d <= FEW), 'question.groups', 'four');
  const given = GROUPS.slice(0, groups).map((name) => entries[name] as bigint);
  const few = given.every((size, g) => size >= (g < 2 ? 1n : 0n)) && given.reduce((a, b) => a + b) <= BigInt(d);
  check(few, 'question.groups');
  const [gain, loss, high, low] = MARKS.map((name) => entries[name]) as [bigint, bigint, bigint?, bigint?];
  const usual = gain >= 1n && gain < 64n && loss >= 1n && loss < 64n;
  check(usual, 'question.marks');
  if (high !== undefined && low !== undefined) {
    check(gain < high && high < 64n && loss < low && low < 64n, 'question.marks');
  }
  const light = weights.length === d && weights.every((w) => w >= 0n && w <= 255n);
  check(light, 'question.weights');
  const { threshold, share, step } = entries as unknown as Record<'threshold' | 'share' | 'step', bigint>;
  const marks = MARKS.slice(0, groups).map((name, g) => Number(entries[name]) * (g % 2 ? -1 : 1));
  const question = {
    sizes: given.map(Number),
    marks,
    weights: weights.map(Number),
    threshold: Number(threshold),
    share,
    step,
  };
  const countable = waysOf(d, question.sizes) < 1n << 64n && cellsOf(question, d) <= MOST_CELLS;
  check(countable, 'parameters.cost', 'question');
  check(absolute(threshold) <= 64n * 64n * 255n, 'question.threshold');
  check(share >= 1n, 'question.share');
  check(step >= 1n && step <= 1n << 80n, 'question.step');
  return question;
}

/** In how many ways the groups can be drawn. */
function waysOf(d: number, sizes: readonly number[]): bigint {
  let ways = 1n;
  let left = d;
  for (const size of sizes) {
    for (let i = 0; i < size; i++) ways = (ways * BigInt(left - i)) / BigInt(i + 1);
    left -= size;
  }
  return ways;
}

/** What an exact count goes through (conformance/README.md, "Cells"). */
function cellsOf({ sizes, marks, weights }: Question, d: number): number {
  if (sizes.length > 2) return d * Number(waysOf(d, sizes));
  const [a, b] = sizes as [number, number];
  const [gain, loss] = marks.map(Math.abs) as [number, number];
  const ranked = rising(weights).reverse();
  const least = ranked[d - 1] as number;
  const largest = (m: number) => ranked.slice(0, m).reduce((all, w) => all + w - least, 0);
  if (a + b === d) return d * (Math.min(a, b) + 1) * (largest(Math.min(a, b)) + 1);
  const values = Math.floor((gain * largest(a) + loss * largest(b)) / factor(gain, loss)) + 1;
  return d * (a + 1) * (b + 1) * values;
}

function factor(a: number, b: number): number {
  return b ? factor(b, a % b) : a;
}

/** Cut drawn ranks or candidates into the groups of a question. */
export function parted(drawn: readonly number[], { sizes }: Question): number[][] {
  let end = 0;
  return sizes.map((size) => drawn.slice(end, (end += size)));
}

/** Whether groups of ranks pass. */
export function passes(groups: readonly number[][], { marks, weights, threshold }: Question): boolean {
  let x = 0;
  for (const [g, group] of groups.entries()) {
    for (const rank of group) x += (marks[g] as number) * (weights[rank] as number);
  }
  return x >= threshold;
}

/** The names of the groups in a report: four if any question is finer. */
function groupsOf(questions: readonly Question[]): readonly string[] {
  return questions.some(({ sizes }) => sizes.length > 2) ? GROUPS : GROUPS.slice(0, 2);
}

/** The type, if there are several, and the groups. */
export function groupFields(questions: readonly Question[], d: number): Field[] {
  const names = groupsOf(questions);
  const groups = names.map((name, g) =>
    setField(name, d, questions.map(({ sizes }) => sizes[g] ?? 0), names.slice(0, g)),
  );
  return questions.length > 1 ? [typeField('type', questions.length), ...groups] : groups;
}

/** A report that names these groups of candidates. */
export function groupReport(
  questions: readonly Question[],
  type: number,
  groups: readonly number[][],
): Report {
  const report: Report = questions.length > 1 ? { type } : {};
  for (const [g, name] of groupsOf(questions).entries()) report[name] = rising(groups[g] ?? []);
  return report;
}

/** Who stands above, and who below: the better before the worse on each side. */
export function sides(
  report: Report,
  candidates: readonly string[],
  say: Say,
): { above: string; below: string } {
  const side = (better: string, worse: string): string => {
    const [one, other] = [better, worse]
      .map((name) => named(candidates, report[name] ?? []))
      .filter((names) => names.length)
      .map((names) => say('group', { members: names.join(say('list.comma')) }));
    return other === undefined ? (one as string) : say('group.before', { better: one as string, worse: other });
  };
  return { above: side('best', 'plus'), below: side('minus', 'worst') };
}

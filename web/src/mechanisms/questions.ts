/** What duel and challenge share: questions about groups of candidates. */
import { isObject } from '../canonical.js';
import { absolute, gcd, sum, whole } from '../exact.js';
import { type Field, type Report, rising, setField, typeField } from '../fields.js';
import { check } from '../refusal.js';
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
  check(sum(questions.map(({ share }) => share)) === WHOLE, 'question.share', 'sum');
  return questions;
}

/** The entries of a question as whole numbers. */
interface Form {
  readonly sizes: readonly bigint[];
  readonly marks: readonly bigint[];
  readonly weights: readonly bigint[];
  readonly threshold: bigint;
  readonly share: bigint;
  readonly step: bigint;
}

/** All entries, none missing and none unknown. */
function readForm(given: unknown): Form {
  check(isObject(given), 'question.form');
  const groups = 'worst' in given ? 4 : 2;
  const sizes = GROUPS.slice(0, groups);
  const marks = MARKS.slice(0, groups);
  const known: string[] = [...sizes, ...marks, 'weights', 'threshold', 'share', 'step'];
  check(Object.keys(given).every((name) => known.includes(name)), 'question.form', 'unknown');
  check(Array.isArray(given.weights), 'question.form', 'weights');
  return {
    sizes: sizes.map((name) => number(given[name])),
    marks: marks.map((name) => number(given[name])),
    weights: given.weights.map(number),
    threshold: number(given.threshold),
    share: number(given.share),
    step: number(given.step),
  };
}

function number(value: unknown): bigint {
  const found = whole(value);
  check(found !== undefined, 'question.form', 'not a whole number');
  return found;
}

function readQuestion({ sizes, marks, weights, threshold, share, step }: Form, d: number, finer: boolean): Question {
  check(sizes.length === 2 || (finer && d <= FEW), 'question.groups', 'four');
  check(sizes.every((size, g) => size >= (g < 2 ? 1n : 0n)), 'question.groups', 'too small');
  check(sum(sizes) <= BigInt(d), 'question.groups', 'too large');
  const [gain, loss, high, low] = marks as [bigint, bigint, bigint?, bigint?];
  check(gain >= 1n && gain < 64n && loss >= 1n && loss < 64n, 'question.marks');
  const above = high === undefined || low === undefined || (gain < high && high < 64n && loss < low && low < 64n);
  check(above, 'question.marks', 'finer');
  check(weights.length === d && weights.every((w) => w >= 0n && w <= 255n), 'question.weights');
  const question = {
    sizes: sizes.map(Number),
    marks: marks.map((mark, g) => Number(mark) * (g % 2 ? -1 : 1)),
    weights: weights.map(Number),
    threshold: Number(threshold),
    share,
    step,
  };
  const isCountable = waysOf(d, question.sizes) < 1n << 64n && cellsOf(question, d) <= MOST_CELLS;
  check(isCountable, 'parameters.cost', 'question');
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
  const factor = Number(gcd(BigInt(gain), BigInt(loss)));
  const values = Math.floor((gain * largest(a) + loss * largest(b)) / factor) + 1;
  return d * (a + 1) * (b + 1) * values;
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

/** Whether the groups of a report pass under a ranking. */
export function isPassed(report: Report, questions: readonly Question[], ranking: readonly number[]): boolean {
  const question = questions[Number(report.type ?? 0)] as Question;
  const groups = question.sizes.map((_, g) => report[GROUPS[g] as string] as number[]);
  return passes(groups.map((group) => group.map((j) => ranking.indexOf(j))), question);
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

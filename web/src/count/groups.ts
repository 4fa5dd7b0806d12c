/** Counting of duels and challenges: groups of candidates, type by type and answer by answer. */
import { type Fraction, sum } from '../exact.js';
import type { Mechanism } from '../mechanisms/mechanism.js';
import { type Question, readQuestions } from '../mechanisms/questions.js';
import { passingShare } from './passing.js';
import { type Counter, counted, float, minus, number, over, plus, range, times } from './counter.js';

const UNIT = 1n << 48n; // steps are whole 2^-48ths of the rule's span

/** View w̄ + span step (mark - mean); of a challenge times the answer less its expectation. */
export function countGroups(mechanism: Mechanism): Counter {
  const { d, rule, given, fields } = mechanism;
  const answered = fields.some(({ name }) => name === 'answer');
  const variants = answered ? 2 : 1;
  const questions = readQuestions(given.questions, d, !answered);
  const names = fields.filter(({ kind }) => kind === 'set').map(({ name }) => name);
  const several = questions.length > 1;
  const m = questions.length * variants;
  const members = names.map(() => new Float64Array(m * d));
  const outer = new Float64Array(m * d * d);
  const reports = new Float64Array(m);
  const marks = questions.map((question) => Float64Array.from(question.marks));
  const who = new Int32Array(d);
  const what = new Float64Array(d);

  return {
    add(report) {
      const type = several ? (report.type as number) : 0;
      const variant = answered ? 2 * type + (report.answer as number) : type;
      reports[variant]! += 1;
      let size = 0;
      for (let g = 0; g < names.length; g++) {
        const mark = marks[type]![g]!;
        for (const j of report[names[g]!] as number[]) {
          members[g]![variant * d + j]! += 1;
          who[size] = j;
          what[size++] = mark;
        }
      }
      for (let a = 0; a < size; a++) {
        const row = (variant * d + who[a]!) * d;
        for (let b = 0; b < size; b++) outer[row + who[b]!]! += what[a]! * what[b]!;
      }
    },

    counts: () => ({
      ...Object.fromEntries(names.map((name, g) => [name, counted([m, d], members[g]!)])),
      outer: counted([m, d, d], outer),
    }),

    scores(n) {
      const mean = float(number(sum(rule.whole), rule.scale * BigInt(d)));
      const steps = range(m).map((variant) => {
        const question = questions[Math.floor(variant / variants)]!;
        return float(times(stepOf(mechanism, question), answered ? answer(mechanism, question, variant % 2) : number(1)));
      });
      return range(d).map((j) =>
        steps.reduce((all, step, variant) => {
          const { sizes, marks } = questions[Math.floor(variant / variants)]!;
          const middle = sizes.reduce((sum, size, g) => sum + size * marks[g]!, 0) / d;
          const counts = marks.reduce((sum, mark, g) => sum + mark * members[g]![variant * d + j]!, 0);
          return all + (step * (counts - middle * reports[variant]!)) / n;
        }, mean),
      );
    },
  };
}

/** What a report counts: the step times the span of the rule. */
function stepOf({ rule }: Mechanism, { step }: Question): Fraction {
  return number((rule.whole[0]! - rule.whole.at(-1)!) * step, rule.scale * UNIT);
}

/** The answer, 1 or -1, less its expectation (E - 1)/(E + 1) (2 α - 1), α the share that passes. */
function answer({ odds, d }: Mechanism, question: Question, said: number): Fraction {
  const balance = minus(times(number(2), passingShare(question, d)), number(1));
  const strength = over(minus(odds, number(1)), plus(odds, number(1)));
  return minus(number(said ? 1 : -1), times(strength, balance));
}

import { type Field, type Report } from '../fields.js';
import { type Say } from './mechanism.js';
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
export declare function readQuestions(given: unknown, d: number, finer: boolean): Question[];
/** Cut drawn ranks or candidates into the groups of a question. */
export declare function parted(drawn: readonly number[], { sizes }: Question): number[][];
/** Whether groups of ranks pass. */
export declare function passes(groups: readonly number[][], { marks, weights, threshold }: Question): boolean;
/** The type, if there are several, and the groups. */
export declare function groupFields(questions: readonly Question[], d: number): Field[];
/** A report that names these groups of candidates. */
export declare function groupReport(questions: readonly Question[], type: number, groups: readonly number[][]): Report;
/** Whether the groups of a report pass under a ranking. */
export declare function isPassed(report: Report, questions: readonly Question[], ranking: readonly number[]): boolean;
/** Who stands above, and who below: the better before the worse on each side. */
export declare function sides(report: Report, candidates: readonly string[], say: Say): {
    above: string;
    below: string;
};

/** How many of all groups of a question pass: exactly, by a count of ranks taken one after the other. */
import type { Fraction } from '../exact.js';
import type { Question } from '../mechanisms/questions.js';
/** The share of the groups that reach the threshold, over all ways to draw them.
 *
 * The coefficient of y^a z^b in ∏ (1 + y q^(gain λ) + z q^(-loss λ)) has the law of the statistic.
 */
export declare function passingShare(question: Question, d: number): Fraction;

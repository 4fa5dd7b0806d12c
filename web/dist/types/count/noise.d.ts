/** Counting of Laplace reports: sums of noisy scores. */
import type { Mechanism } from '../mechanisms/mechanism.js';
import { type Counter } from './counter.js';
export declare function countLaplace({ d, rule }: Mechanism): Counter;

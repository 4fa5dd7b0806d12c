import type { Mechanism } from '../mechanisms/mechanism.js';
import { type Counter } from './counter.js';
/** View w̄ + span step (mark - mean); of a challenge times the answer less its expectation. */
export declare function countGroups(mechanism: Mechanism): Counter;

import type { Rule } from '../rule.js';
import type { Kind } from './mechanism.js';
export declare const laplace: Kind;
/** Units that a point is counted in. */
export declare function unitsOf({ whole, scale }: Rule): bigint;

/** The three steps that all draws are made of (conformance/README.md, "How a draw uses its bytes"). */
import type { Bits } from './bits.js';
/** A uniform whole number from 0 to limit - 1. */
export declare function below(limit: bigint, bits: Bits): bigint;
/** `count` different numbers from 0 to d - 1, every sequence equally likely. */
export declare function distinct(d: number, count: number, bits: Bits): number[];
/** An index, each as likely as its weight says. */
export declare function pick(weights: readonly bigint[], bits: Bits): number;

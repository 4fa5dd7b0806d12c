import type { Kind, Mechanism } from './mechanisms/mechanism.js';
/** Read a mechanism of one of these kinds, or refuse parameters that do not keep their promise. */
export declare function readMechanism(given: unknown, kinds: readonly Kind[]): Mechanism;

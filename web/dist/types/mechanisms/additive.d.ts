import { type Kind } from './mechanism.js';
export declare const additive: Kind;

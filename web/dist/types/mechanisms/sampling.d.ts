import { type Kind } from './mechanism.js';
export declare const weightedSampling: Kind;
export declare const naiveSampling: Kind;

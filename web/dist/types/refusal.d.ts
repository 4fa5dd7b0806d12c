/** Why something was refused: a stable code, as in conformance/README.md, and a few words on what. */
export declare class Refusal extends Error {
    readonly code: string;
    constructor(code: string, what?: string);
}
/** Refuse, unless it is as it should be. */
export declare function check(right: boolean, code: string, what?: string): asserts right;

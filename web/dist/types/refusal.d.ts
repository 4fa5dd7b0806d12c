/** Why something was refused: a stable code (conformance/README.md and docs/errors.md list them), and
 * a few words on what.
 */
export declare class Refusal extends Error {
    readonly code: string;
    constructor(code: string, what?: string);
}
/** Refuse, unless it is as it should be. */
export declare function check(right: boolean, code: string, what?: string): asserts right;
/** Whether an error is a refusal, also of another bundle of this package. */
export declare function isRefusal(error: unknown): error is Refusal;

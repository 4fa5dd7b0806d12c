export declare const language = "de";
/** Says what a report means. */
export declare const say: import("../drawing.ts").Say;
/** Says why something was refused. */
export declare const reason: (refusal: Pick<import("../refusal.ts").Refusal, "code">) => string;

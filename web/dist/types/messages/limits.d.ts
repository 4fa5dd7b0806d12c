/** The epsilon beyond which hardly anything is protected. */
export declare const LITTLE = 5n;

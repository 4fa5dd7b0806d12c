export declare const BLANK = "\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000";
/** Whether a text has a code point that cannot be seen; line ends count where they are not allowed,
 * blanks at either end.
 */
export declare function isHidden(text: string, lines?: boolean): boolean;
/** The first code point of a text that cannot be seen, blanks aside. */
export declare function hiddenIn(text: string, lines?: boolean): number | undefined;
/** Whether this is text of so many code points. */
export declare function fits(text: unknown, least: number, most: number): text is string;
/** A name that can be shown, of a candidate or a rule. */
export declare function name(text: unknown, most: number): string;

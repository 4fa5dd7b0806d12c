/** Whether a text has a code point that cannot be seen; line ends count where they are not allowed,
 * blanks at either end.
 */
export declare function isHidden(text: string, lines?: boolean): boolean;
/** Whether this is text of so many code points. */
export declare function fits(text: unknown, least: number, most: number): text is string;
/** A name that can be shown, of a candidate or a rule. */
export declare function name(text: unknown, most: number): string;

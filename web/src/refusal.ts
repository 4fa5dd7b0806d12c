/** Why something was refused: a stable code (conformance/README.md and docs/errors.md list them), and
 * a few words on what.
 */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    what = '',
  ) {
    super(what ? `${code}: ${what}` : code);
    this.name = 'Refusal';
  }
}

/** Refuse, unless it is as it should be. */
export function check(right: boolean, code: string, what?: string): asserts right {
  if (!right) throw new Refusal(code, what);
}

/** Whether an error is a refusal, also of another bundle of this package. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && error.name === 'Refusal';
}

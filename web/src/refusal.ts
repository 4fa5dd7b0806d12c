/** Why something was refused: a stable code, as in conformance/README.md, and a few words on what. */
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

/** For tests: manifests around given parameters. */
import { canonical, digestOf, type Json, type JsonObject } from '../canonical.js';

export const ADDITIVE: JsonObject = {
  mechanism: 'additive',
  rule: { name: 'borda', scores: ['3', '2', '1', '0'] },
  epsilon: '1',
  odds: [11674931554, 4294967296],
  k: 2,
};

/** The text of a manifest and its digest. */
export function manifest(mechanism: JsonObject = ADDITIVE, members: JsonObject = {}): [string, string] {
  const { scores } = mechanism.rule as { scores: Json[] };
  const text = canonical({
    hushvote: 'poll',
    version: 1,
    id: '00112233445566778899aabbccddeeff',
    question: 'Who shall speak for us?',
    description: '',
    candidates: scores.map((_, j) => `Candidate ${j}`),
    mechanism,
    seats: 1,
    access: 'link',
    changes: 2,
    partial: false,
    turnout: 20,
    live: 0,
    server: 'ab'.repeat(32),
    ...members,
  })!;
  return [text, digestOf(text)];
}

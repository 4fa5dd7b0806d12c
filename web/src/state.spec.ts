import { expect, test } from 'vitest';
import { type Bits, fixedBits } from './bits.js';
import { openPoll } from './index.js';
import { bodyOf, requestSize } from './requests.js';
import { canonical } from './canonical.js';
import { leafOf, receiptOf, secretOf } from './secrets.js';
import {
  acknowledged,
  begin,
  credentialOf,
  forget,
  refused,
  resume,
  send,
  type State,
  vote,
  withdraw,
} from './state.js';
import { manifest } from './testing/polls.js';
import { vectors } from './testing/vectors.js';

const poll = openPoll(...manifest());
const RANKING = [2, 0, 3, 1];

/** The acknowledgement of what was sent last, with a signature that nobody checks here. */
function answerTo({ request }: State): Record<string, unknown> {
  const { receipt = receiptOf(request!.reveals!), report } = request!;
  const salt = 'cd'.repeat(16);
  const leaf = report ? leafOf(salt, canonical({ receipt, report })!) : '0'.repeat(64);
  return { poll: poll.digest, receipt, leaf, ...(report && { salt }), signature: 'ef'.repeat(64) };
}

const taken = (state: State): State => acknowledged(poll, state, answerTo(state));

/** Refuses to give any bits. */
const none: Bits = {
  bytes: () => {
    throw new Error('no bits were needed');
  },
};

test('the same ranking gives the same report, without another draw', () => {
  const first = vote(poll, begin(poll), RANKING);
  const again = vote(poll, first.state, [...RANKING], { bits: none });
  expect(again.report).toBe(first.report);
  expect(again.state).toBe(first.state);
  expect(first.state.spent).toBe(1);
  expect(first.state.ledger).toEqual([{ poll: poll.digest, epsilon: 1 }]);
});

test('another question is another draw', () => {
  const { polls } = vectors('polls.json') as { polls: Record<string, string> };
  const [digest, text] = Object.entries(polls).find(([, one]) => one.includes('"challenge"'))!;
  const asked = openPoll(text, digest);
  const ranking = asked.candidates.map((_, j) => j);
  const first = vote(asked, begin(asked), ranking, { question: new Uint8Array(32) });
  const other = vote(asked, first.state, ranking, { question: new Uint8Array(32).fill(1) });
  expect(other.state.spent).toBe(2);
  const again = vote(asked, other.state, ranking, { question: new Uint8Array(32), bits: none });
  expect(again.report).toBe(first.report);
});

test('there are as many draws as one and the changes, and no more', () => {
  let state = begin(poll);
  for (const ranking of [RANKING, [0, 1, 2, 3], [3, 2, 1, 0]]) ({ state } = vote(poll, state, ranking));
  expect(state.ledger.length).toBe(3);
  expect(() => vote(poll, state, [1, 0, 2, 3])).toThrow('state.spent');
  expect(vote(poll, state, RANKING, { bits: none }).report).toEqual(state.draws[0]!.report);
});

test('a bad ranking spends nothing', () => {
  const state = begin(poll);
  const drawn = vote(poll, state, [0, 1, 2, 3]).state;
  expect(() => vote(poll, drawn, [[0, 1], 2, 3] as unknown as number[])).toThrow('ranking.length');
  expect(() => vote(poll, state, [0, 1])).toThrow('ranking.length');
  expect(() => vote(poll, state, [0, 1, 2, 2])).toThrow('ranking.duplicate');
  expect(() => vote(poll, state, [0, 1, 2, 4])).toThrow('ranking.candidate');
  expect(state.spent).toBe(0);
});

test('random bits are not kept', () => {
  const used: string[] = [];
  const bits: Bits = {
    bytes(length) {
      const taken = crypto.getRandomValues(new Uint8Array(length));
      if (length >= 4) used.push(Buffer.from(taken).toString('hex'), taken.join());
      return taken;
    },
  };
  const { state } = vote(poll, begin(poll), RANKING, { bits });
  expect(used.length).toBeGreaterThan(0);
  for (const taken of used) expect(JSON.stringify(state)).not.toContain(taken);
});

test('the state is plain data', () => {
  const { state } = vote(poll, begin(poll), RANKING);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
});

test('a cast names the first receipt, a change reveals its secret, a withdrawal the next', () => {
  let { state, report } = vote(poll, begin(poll), RANKING);
  const secrets = [0, 1, 2].map((i) => secretOf(state.seed, i)) as [string, string, string];
  state = send(poll, state, report);
  expect(state.request).toEqual({ poll: poll.digest, receipt: receiptOf(secrets[0]), report });
  expect(() => send(poll, state, report)).toThrow('state.unanswered');
  state = taken(state);
  ({ state, report } = vote(poll, state, [0, 1, 2, 3]));
  state = send(poll, state, report);
  expect(state.request).toEqual({ poll: poll.digest, reveals: secrets[0], receipt: receiptOf(secrets[1]), report });
  expect(() => withdraw(poll, state)).toThrow('state.unanswered');
  state = taken(state);
  state = withdraw(poll, state);
  expect(state.request).toEqual({ poll: poll.digest, reveals: secrets[1] });
  state = taken(state);
  expect(state.standing).toBe('withdrawn');
  expect(() => send(poll, state, report)).toThrow('state.withdrawn');
  expect(() => acknowledged(poll, state, {})).toThrow('state.unasked');
});

test.each([
  ['ack.form', { junk: 1 }],
  ['ack.form', { signature: 'ef' }],
  ['ack.form', { salt: null }],
  ['ack.poll', { poll: '0'.repeat(64) }],
  ['ack.leaf', { leaf: '0'.repeat(64) }],
  ['ack.leaf', { receipt: '0'.repeat(64) }],
  ['ack.leaf', { salt: '00'.repeat(16) }],
])('an answer is no acknowledgement: %s of %o', (code, change) => {
  const { state, report } = vote(poll, begin(poll), RANKING);
  const sent = send(poll, state, report);
  expect(() => acknowledged(poll, sent, { ...answerTo(sent), ...change })).toThrow(code);
  expect(() => acknowledged(poll, sent, null)).toThrow('ack.form');
});

test('what the server has refused can be dropped, and nothing is spent by it', () => {
  const { state, report } = vote(poll, begin(poll), RANKING);
  expect(refused(send(poll, state, report))).toEqual(state);
  const cast = taken(send(poll, state, report));
  expect(refused(send(poll, cast, report))).toEqual(cast);
  expect(credentialOf(refused(send(poll, cast, report))).position).toBe(0);
});

test('there is no credential before a cast, nor while something is unanswered', () => {
  const { state, report } = vote(poll, begin(poll), RANKING);
  expect(() => credentialOf(state)).toThrow('state.uncast');
  const cast = taken(send(poll, state, report));
  expect(() => credentialOf(send(poll, cast, report))).toThrow('state.unanswered');
});

test('a poll of codes needs the hash of one, a link takes none', () => {
  const codes = openPoll(...manifest(undefined, { access: 'codes' }));
  const { state, report } = vote(codes, begin(codes), RANKING);
  expect(() => send(codes, state, report)).toThrow('question.missing');
  expect(send(codes, state, report, new Uint8Array(32)).request!.question).toBe('00'.repeat(32));
  const drawn = vote(poll, begin(poll), RANKING);
  expect(() => send(poll, drawn.state, drawn.report, new Uint8Array(32))).toThrow('question.needless');
});

test('only reports are sent', () => {
  const { state } = vote(poll, begin(poll), RANKING);
  expect(() => send(poll, state, { chosen: [0.5] })).toThrow('report.form');
  expect(() => bodyOf(poll, { poll: poll.digest, report: { chosen: [0.5] } })).toThrow('request.json');
  expect(() => bodyOf(poll, { poll: 'x'.repeat(5000) })).toThrow('request.size');
});

test('nothing can be withdrawn that was not cast', () => {
  expect(() => withdraw(poll, begin(poll))).toThrow('state.uncast');
});

test('there are no more changes than the poll allows', () => {
  const { state: drawn, report } = vote(poll, begin(poll), RANKING);
  let state = taken(send(poll, drawn, report));
  for (let i = 0; i < poll.changes; i++) state = taken(send(poll, state, report));
  expect(() => send(poll, state, report)).toThrow('state.changes');
});

test('a credential has no ranking and no report, and goes on where it was', () => {
  const { state, report } = vote(poll, begin(poll), RANKING);
  const cast = taken(send(poll, state, report));
  const kept = credentialOf(cast);
  expect(Object.keys(kept).sort()).toEqual(['draws', 'hushvote', 'poll', 'position', 'seed', 'version']);
  const elsewhere = resume(poll, JSON.parse(JSON.stringify(kept)));
  expect(elsewhere.draws).toEqual([]);
  expect(elsewhere.spent).toBe(1);
  expect(elsewhere.ledger).toEqual(cast.ledger);
  const changed = vote(poll, elsewhere, RANKING); // a new draw: the old report is not known here
  expect(changed.state.spent).toBe(2);
  expect(send(poll, changed.state, changed.report).request!.reveals).toBe(secretOf(state.seed, 0));
});

test.each([{ seed: 'ab' }, { position: -1 }, { draws: 99 }, { version: 2 }, { poll: null }, { more: 1 }])(
  'a credential with %o is damaged',
  (change) => {
    const { state, report } = vote(poll, begin(poll), RANKING);
    const kept = credentialOf(taken(send(poll, state, report)));
    expect(() => resume(poll, { ...kept, ...change })).toThrow('credential.form');
  },
);

test('what is kept belongs to one poll', () => {
  const other = openPoll(...manifest(undefined, { question: 'Another?' }));
  const { state, report } = vote(poll, begin(poll), RANKING);
  expect(() => vote(other, state, RANKING)).toThrow('state.poll');
  expect(() => send(other, state, report)).toThrow('state.poll');
  expect(() => resume(other, credentialOf(taken(send(poll, state, report))))).toThrow('state.poll');
});

test('forgetting erases everything', () => {
  const state: State = vote(poll, begin(poll), RANKING).state;
  forget(state);
  expect(state).toEqual({});
});

test('requests of one poll have one length, whatever they say', () => {
  const { state, report } = vote(poll, begin(poll), RANKING);
  const cast = send(poll, state, report);
  const changed = send(poll, taken(cast), report);
  const gone = withdraw(poll, taken(cast));
  for (const { request } of [cast, changed, gone]) {
    const body = bodyOf(poll, request!);
    expect(body.length).toBe(requestSize(poll));
    expect(JSON.parse(body)).toEqual(request);
  }
  expect(requestSize(poll) % 1024).toBe(0);
});

test('a partial ranking is completed, and kept as it was given and as it was completed', () => {
  const some = openPoll(...manifest(undefined, { partial: true }));
  const { state } = vote(some, begin(some), [3]);
  const [draw] = state.draws;
  expect(draw!.ranking).toEqual([3]);
  expect(draw!.completed[0]).toBe(3);
  expect([...draw!.completed].sort()).toEqual([0, 1, 2, 3]);
  expect(() => vote(some, state, [])).toThrow('ranking.length');
});

test('how many were ranked does not change the bytes that are used', () => {
  const some = openPoll(...manifest(undefined, { partial: true }));
  const random = crypto.getRandomValues(new Uint8Array(4096));
  const used = [[1], [1, 0], [1, 0, 2], [1, 0, 2, 3]].map((ranking) => {
    const bits = fixedBits(random);
    some.draw(ranking, { bits });
    return bits.used;
  });
  expect(new Set(used).size).toBe(1);
});

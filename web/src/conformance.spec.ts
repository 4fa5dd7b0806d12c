/** The vectors that every language must meet (conformance/README.md). */
import { describe, expect, test } from 'vitest';
import { fixedBits } from './bits.js';
import { canonical, digestOf, type Json, type JsonObject, parse } from './canonical.js';
import { readReport } from './fields.js';
import { kinds, openPoll } from './index.js';
import { say } from './messages/en.js';
import { readMechanism } from './parameters.js';
import { bodyOf, requestSize } from './requests.js';
import { codeHash, questionOf, readCode, receiptOf, secretOf } from './secrets.js';
import { bytes, mechanismOf, refusalOf, stream, vectors } from './testing/vectors.js';
import { name } from './texts.js';

type Mechanisms = Record<string, Json>;

interface Draw {
  name: string;
  mechanism: string;
  poll: string;
  ranking: number[];
  question?: string;
  seed: string;
  bytes: number;
  report: JsonObject;
  completed: number[];
  candidates: string[];
  words: string;
}

describe('draws', () => {
  const { mechanisms, vectors: draws } = vectors('draws.json') as { mechanisms: Mechanisms; vectors: Draw[] };

  test('parameters have their digests', () => {
    for (const [digest, given] of Object.entries(mechanisms)) expect(digestOf(canonical(given)!)).toBe(digest);
  });

  test.each(kinds.map((kind) => [kind.name]))('of %s', (name) => {
    const own = draws.filter((one) => mechanismOf(mechanisms, one.mechanism).name === name);
    expect(own.length).toBeGreaterThanOrEqual(200);
    for (const one of own) {
      const made = mechanismOf(mechanisms, one.mechanism);
      const bits = fixedBits(stream(one.seed, one.bytes));
      const report = made.draw(one.ranking, bits, one.question ? bytes(one.question) : undefined);
      expect(report, one.name).toEqual(one.report);
      expect(bits.used, one.name).toBe(one.bytes);
      expect(readReport(made.fields, one.report), one.name).toEqual(one.report);
      expect(made.words(report, one.candidates, say), one.name).toBe(one.words);
    }
  });
});

describe('polls', () => {
  const given = vectors('polls.json') as {
    polls: Record<string, string>;
    vectors: Draw[];
    accepted: { reason: string; text: string }[];
    secrets: { seed: string; secrets: string[]; receipts: string[] }[];
    codes: { code: string; typed: string; poll: string; question: string; hash: string }[];
    requests: { poll: string; size: number; seed: string; cast: string; change: string; withdrawal: string }[];
  };
  const open = (digest: string) => openPoll(given.polls[digest]!, digest);

  test('are opened, voted in and put into words', () => {
    for (const one of given.vectors) {
      const poll = open(one.poll);
      const bits = fixedBits(stream(one.seed, one.bytes));
      const question = one.question ? { question: bytes(one.question) } : {};
      const { report, ranking } = poll.draw(one.ranking, { bits, ...question });
      expect(report, one.name).toEqual(one.report);
      expect(ranking, one.name).toEqual(one.completed);
      expect(bits.used, one.name).toBe(one.bytes);
      expect(poll.words(report, say), one.name).toBe(one.words);
    }
  });

  test.each(given.accepted)('are opened with $reason', ({ text }) => {
    expect(openPoll(text, digestOf(text)).check().digest).toBe(digestOf(text));
  });

  test('have secrets and receipts', () => {
    for (const { seed, secrets, receipts } of given.secrets) {
      expect(secrets.map((_, i) => secretOf(seed, i))).toEqual(secrets);
      expect(secrets.map(receiptOf)).toEqual(receipts);
    }
  });

  test('have codes', () => {
    for (const { code, typed, poll, question, hash } of given.codes) {
      expect(readCode(typed)).toBe(code);
      expect(questionOf(poll, typed)).toEqual(bytes(question));
      expect(codeHash(bytes(question))).toBe(hash);
    }
  });

  test('have requests of one length', () => {
    for (const { poll: digest, size, cast, change, withdrawal } of given.requests) {
      const poll = open(digest);
      expect(requestSize(poll)).toBe(size);
      for (const text of [cast, change, withdrawal]) {
        expect(bodyOf(poll, JSON.parse(text) as { poll: string })).toBe(text.padEnd(size));
      }
    }
  });
});

interface Bad {
  reason: string;
  code: string;
  who: 'client' | 'counter';
  mechanism: string;
  parameters: Json;
  text: string;
  parts?: [string, number][];
  digest?: string;
  name: unknown;
  typed: string;
  ranking: number[];
  report: Json;
  seed: string;
  bytes: number;
  question?: string;
}

describe('refused are', () => {
  const all = vectors('refusals.json') as Record<string, Bad[]> & { mechanisms: Mechanisms };
  const { mechanisms } = all as { mechanisms: Mechanisms };
  const made = (one: Bad) => mechanismOf(mechanisms, one.mechanism);
  /** The ranking and the question of a vote, through a poll of that mechanism. */
  const asked = (one: Bad) => (one.question === undefined ? {} : { question: bytes(one.question) });
  const textOf = ({ text, parts }: Bad) =>
    parts ? parts.map(([part, times]) => part.repeat(times)).join('') : text;

  const acts: Record<string, (one: Bad) => unknown> = {
    parameters: (one) => readMechanism(parse(canonical(one.parameters) ?? '1.5', 'parameters'), kinds),
    texts: (one) => readMechanism(parse(one.text, 'parameters'), kinds),
    names: (one) => name(one.name, 200),
    codes: (one) => readCode(one.typed),
    reports: (one) => readReport(made(one).fields, one.report),
    streams: (one) => made(one).draw(one.ranking, fixedBits(stream(one.seed, one.bytes))),
    manifests: (one) => openPoll(textOf(one), one.digest ?? digestOf(textOf(one))),
    votes: (one) => openPoll(one.text, digestOf(one.text)).draw(one.ranking, asked(one)),
  };

  test.each(Object.keys(acts))('%s', (kind) => {
    const entries = all[kind]!.filter(({ who }) => who === 'client');
    expect(entries.length).toBeGreaterThan(5);
    for (const one of entries) expect(refusalOf(() => acts[kind]!(one)), one.reason).toBe(one.code);
  });
});

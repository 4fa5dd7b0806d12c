import { expect, test } from 'vitest';
import { openPoll } from './index.js';
import { openPoll as openDuel } from './only-duel.js';
import { reason, say } from './messages/en.js';
import { isRefusal } from './refusal.js';
import { ADDITIVE, manifest } from './testing/polls.js';

test('a poll is opened, checked and voted in', () => {
  const [text, digest] = manifest();
  const poll = openPoll(text, digest);
  expect(poll.check()).toEqual({ digest, epsilon: '1', factor: '2.72', factorOfAll: '20.1' }); // e^3
  const { report, ranking } = poll.draw([1, 3, 0, 2]);
  expect(ranking).toEqual([1, 3, 0, 2]);
  expect(poll.words(report, say)).toMatch(/^I name Candidate \d and Candidate \d\.$/);
  expect(() => poll.words({ chosen: [0] }, say)).toThrow('report.size');
});

test.each([
  ['1/1000000', [4294971590, 4294967296], '1.01'],
  ['1', [11674931554, 4294967296], '2.72'],
  ['10', [11674931554, 4294967296], '22100'],
  ['3', [11674931554, 4294967296], '20.1'],
  ['5', [11674931554, 4294967296], '149'], // e^5 = 148.41
  ['69/100', [4294971590, 4294967296], '2.00'], // e^0.69 = 1.9937
  ['46051/10000', [11674931554, 4294967296], '100'], // 99.993: a digit more
])('the factor of epsilon %s is rounded up', (epsilon, odds, factor) => {
  expect(openPoll(...manifest({ ...ADDITIVE, epsilon, odds })).check().factor).toBe(factor);
});

test('a manifest of another digest is refused, before anything of it is read', () => {
  const [text] = manifest();
  for (const digest of ['', 'x', '0'.repeat(64), 'A'.repeat(64)]) {
    expect(() => openPoll(text, digest)).toThrow('poll.digest');
    expect(() => openPoll('nonsense', digest)).toThrow('poll.digest');
  }
});

test('what is no text, no digest or no ranking is refused like all else', () => {
  const [text, digest] = manifest();
  expect(() => openPoll(undefined as unknown as string, digest)).toThrow('poll.json');
  expect(() => openPoll(text, undefined as unknown as string)).toThrow('poll.digest');
  const poll = openPoll(text, digest);
  const holes = [0, 1, 2, 3];
  Reflect.deleteProperty(holes, 1);
  for (const bad of [undefined, null, 5, '0123', {}, { length: 4 }]) {
    expect(() => poll.draw(bad as unknown as number[])).toThrow('ranking.length');
  }
  for (const bad of [holes, [0, 1, 2, '3'], [[0], 1, 2, 3], [0, 1, 2, 3.5], [0, 1, 2, NaN]]) {
    expect(() => poll.draw(bad as number[])).toThrow('ranking.candidate');
  }
});

test('refusals of another bundle are known as such', () => {
  const other = Object.assign(new Error('x'), { name: 'Refusal', code: 'x' });
  expect([other, new Error('x'), null].map(isRefusal)).toEqual([true, false, false]);
});

test('a question is for polls that ask one', () => {
  const poll = openPoll(...manifest());
  expect(() => poll.draw([0, 1, 2, 3], { question: new Uint8Array(32) })).toThrow('question.needless');
});

test('what knows duels alone refuses other mechanisms', () => {
  expect(() => openDuel(...manifest())).toThrow('parameters.mechanism');
});

test('odds that do not keep epsilon are refused, with a reason for the voter', () => {
  const forged = { ...ADDITIVE, odds: [11674931555, 4294967296] };
  expect(() => openPoll(...manifest(forged))).toThrow('parameters.odds');
  expect(reason({ code: 'parameters.odds' })).toContain('more about your vote than it says');
  expect(reason({ code: 'poll.seats' })).toContain('(poll.seats)');
  expect(reason({ code: 'nobody.knows' })).toContain('(nobody.knows)');
});

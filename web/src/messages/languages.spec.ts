import { expect, test } from 'vitest';
import * as de from './de.js';
import * as en from './en.js';
import { openPoll } from '../index.js';
import { manifest } from '../testing/polls.js';

test('a report is said in the language of the voter', () => {
  const poll = openPoll(...manifest());
  const { report } = poll.draw([1, 3, 0, 2]);
  expect(poll.words(report, de.say)).toMatch(/^Ich nenne Candidate \d und Candidate \d\.$/);
  expect(poll.words(report, en.say)).toMatch(/^I name Candidate \d and Candidate \d\.$/);
});

test('numbers have the decimal sign of the language, names keep theirs', () => {
  const values = { name: 'Dr. A. 1.5', score: -0.125 };
  expect(en.say('report.score', values)).toBe('Dr. A. 1.5 -0.12');
  expect(de.say('report.score', values)).toBe('Dr. A. 1.5 (-0,12)');
  expect(de.say('report.score', { name: '$& {score}', score: 1234 })).toBe('$& {score} (1234,00)');
});

test('refusals have a reason in every language, that of the code or of its kind', () => {
  expect([en.language, de.language]).toEqual(['en', 'de']);
  expect(de.reason({ code: 'poll.digest' })).toMatch(/^Das ist nicht die Abstimmung, die Ihr Link nennt;/);
  expect(de.reason({ code: 'poll.seats' })).toMatch(/beschädigt oder gefälscht.* \(poll\.seats\)\.$/);
  expect(de.reason({ code: 'nobody.knows' })).toBe('Hier stimmt etwas nicht; es wurde nichts gesendet (nobody.knows).');
});

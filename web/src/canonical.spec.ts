import { expect, test } from 'vitest';
import { canonical, digestOf, parse } from './canonical.js';

test('members stand by the code units of their names', () => {
  const text = '{"":1,"a":[true,null,"é\\n\\u0001"],"😀":-5,"ﬁ":0}';
  expect(canonical(JSON.parse(text))).toBe(text);
  expect(parse(text, 'poll')).toEqual(JSON.parse(text));
});

test.each(['{"b":1,"a":1}', '{"a":1,"a":1}', ' {}', '{} ', '[1.0]', '[1e0]', '[-0]', '[9007199254740992]', '["\\u0061"]', '["\\ud800"]', '["\\/"]', `${'['.repeat(34)}${']'.repeat(34)}`])(
  '%s is not canonical',
  (text) => {
    expect(() => parse(text, 'poll')).toThrow('poll.canonical');
  },
);

test('33 lists in one another are allowed', () => {
  const text = '['.repeat(33) + ']'.repeat(33);
  expect(canonical(parse(text, 'poll'))).toBe(text);
});

test.each(['', '{', '[1,]', 'NaN', '[01]', '\ufeff{}', "{'a':1}", '["\n"]'])('%s is no JSON', (text) => {
  expect(() => parse(text, 'poll')).toThrow('poll.json');
});

test.each([1.5, 2 ** 53, undefined, 1n, Symbol('x'), [undefined], { a: NaN }, '\udc00', { '\ud800': 1 }])(
  'value %# has no canonical form',
  (value) => {
    expect(canonical(value)).toBeUndefined();
  },
);

test('a digest is SHA-256 of UTF-8 (FIPS 180-4)', () => {
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

import { expect, test } from 'vitest';
import { hiddenCharacter, tidied, typedNames } from './typed.js';

test('what people do not mean is taken out of what they typed', () => {
  expect(tidied('\u00a0 Ann\u2800\t')).toBe('Ann');
  expect(tidied('\u2764\ufe0f Love')).toBe('\u2764 Love');
  expect(tidied('Do\u0308rte')).toBe('D\u00f6rte');
  expect(tidied('one\r\ntwo')).toBe('one\ntwo');
});

test('names keep the number of their line', () => {
  expect(typedNames('Ann\n\n \r\nBob')).toEqual([
    { name: 'Ann', line: 1 },
    { name: 'Bob', line: 4 },
  ]);
});

test('a character that cannot be seen is named, and its place is marked', () => {
  expect(hiddenCharacter('Family \u{1f469}\u200d\u{1f467}')).toEqual({
    code: 'U+200D',
    marked: 'Family \u{1f469}\ufffd\u{1f467}',
  });
  expect(hiddenCharacter('A\u202eB\u200b')).toEqual({ code: 'U+202E', marked: 'A\ufffdB\ufffd' });
  expect(hiddenCharacter('two\nlines')?.code).toBe('U+000A');
  expect(hiddenCharacter('two\nlines', true)).toBeNull();
  expect(hiddenCharacter('D\u00f6rte \u{1f469}')).toBeNull();
});

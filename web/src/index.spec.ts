import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOf } from './index.js';

test("a digest is Node's", () => {
  expect(digestOf('Ä')).toBe(createHash('sha256').update('Ä').digest('hex'));
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '#words': `${import.meta.dirname}/src/messages/pages/en.ts` } },
  test: { include: ['src/**/*.spec.ts'], environment: 'node', testTimeout: 60_000 },
});

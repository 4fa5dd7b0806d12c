import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const unsafe = 'draws come from Bits, which take crypto.getRandomValues';

export default defineConfig(
  globalIgnores(['dist/']),
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'tsconfig.spec.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-properties': ['error', { object: 'Math', property: 'random', message: unsafe }],
      // An index that its loop keeps in range reads best as `list[i]!`.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Texts are taken apart into code points on purpose: the protocol counts these.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  { files: ['**/*.mjs'], extends: [tseslint.configs.disableTypeChecked], rules: { 'no-console': 'off' } },
);

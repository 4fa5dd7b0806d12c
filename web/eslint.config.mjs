import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const unsafe = 'draws come from Bits, which take crypto.getRandomValues';
const outside = 'the sources reach nothing but what src/platform.d.ts declares';

export default defineConfig(
  globalIgnores(['dist/']),
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'tsconfig.pages.json', 'tsconfig.spec.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-globals': [
        'error',
        ...['globalThis', 'eval', 'Function'].map((name) => ({ name, message: outside })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: unsafe },
        { property: 'constructor', message: outside },
        ...['get', 'apply', 'construct', 'getOwnPropertyDescriptor'].map((property) => ({
          object: 'Reflect',
          property,
          message: outside,
        })),
      ],
      'no-restricted-syntax': ['error', { selector: 'ImportExpression', message: outside }],
      // An index that its loop keeps in range reads best as `list[i]!`.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Texts are taken apart into code points on purpose: the protocol counts these.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['src/pages/**'],
    rules: {
      // Pages are built from nodes: no text ever becomes markup, whatever the browser would let pass.
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: unsafe },
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'cssText'].map((property) => ({
          property,
          message: 'texts are nodes: use el() of pieces/dom.ts',
        })),
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  { files: ['**/*.spec.ts', 'src/testing/**'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['**/*.mjs'], extends: [tseslint.configs.disableTypeChecked], rules: { 'no-console': 'off' } },
);

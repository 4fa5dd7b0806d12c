// Build the package into dist/, or into the folder that is named: `node build.mjs [folder]`.
//
// Each entry is one minified file that imports nothing, with its types beside it. The same sources and the
// same lock file give the same bytes.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ENTRIES = {
  hushvote: 'index',
  duel: 'only-duel',
  voting: 'voting',
  count: 'count/index',
};

const web = dirname(fileURLToPath(import.meta.url));
for (const file of readdirSync(join(web, 'src', 'messages')).sort()) {
  const [, language] = /^([a-z]{2})\.ts$/.exec(file) ?? [];
  if (language) ENTRIES[language] = `messages/${language}`;
}
const out = resolve(process.argv[2] ?? join(web, 'dist'));

if (process.argv[2] === undefined) {
  rmSync(out, { recursive: true, force: true });
}
mkdirSync(out, { recursive: true });

for (const [name, source] of Object.entries(ENTRIES)) {
  await build({
    configFile: false,
    root: web,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      reportCompressedSize: false,
      lib: { entry: join(web, 'src', `${source}.ts`), formats: ['es'], fileName: () => `${name}.js` },
      rolldownOptions: { output: { minify: true, comments: { legal: true, annotation: false } } },
    },
  });
  writeFileSync(join(out, `${name}.d.ts`), `export * from './types/${source}.js';\n`);
}

const tsc = join(web, 'node_modules', 'typescript', 'bin', 'tsc');
const types = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', join(out, 'types')];
execFileSync(process.execPath, [tsc, '-p', join(web, 'tsconfig.json'), ...types], { stdio: 'inherit' });

// The licence of what is bundled in goes where the bundle goes.
cpSync(join(web, 'node_modules', '@noble', 'hashes', 'LICENSE'), join(out, 'noble-hashes.LICENSE'));

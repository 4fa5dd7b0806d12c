// Build the pages into the Python package, or into the folder that is named: `node pages.mjs [folder]`.
//
// Every page is one script and one style in each language. A file's name has part of its SHA-256, and
// static.json lists all of them with the whole of it: the hashes to publish. The same sources and the same
// lock file give the same bytes.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const web = dirname(fileURLToPath(import.meta.url));
const source = join(web, 'src', 'pages');
const out = resolve(process.argv[2] ?? join(web, '..', 'src', 'hushvote', 'server', 'pages', 'static'));

// A page is a folder with a main.ts.
const pages = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(join(source, entry.name)).includes('main.ts'))
  .map(({ name }) => name)
  .sort();
const languages = readdirSync(join(web, 'src', 'messages', 'pages'))
  .map((name) => name.replace(/\.ts$/, ''))
  .sort();

const files = {};

/** Keep a file under a name with part of its hash. */
function keep(stem, ending, text) {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const name = `${stem}.${sha256.slice(0, 16)}.${ending}`;
  files[name] = { sha256, bytes: bytes.length };
  writeFileSync(join(out, name), bytes);
  return name;
}

/** One page in one language. */
async function built(page, language) {
  const { output } = await build({
    configFile: false,
    root: web,
    logLevel: 'warn',
    publicDir: false,
    resolve: { alias: { '#words': join(web, 'src', 'messages', 'pages', `${language}.ts`) } },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: { [page]: join(source, page, 'main.ts') },
        output: { minify: true, comments: { legal: true, annotation: false } },
      },
    },
  });
  const scripts = output.filter(({ type }) => type === 'chunk');
  const styles = output.filter(({ fileName }) => fileName.endsWith('.css'));
  if (scripts.length !== 1 || styles.length !== 1 || output.length !== 2) {
    throw new Error(`${page} is not one script and one style`);
  }
  return {
    script: keep(`${page}.${language}`, 'js', scripts[0].code),
    style: keep(page, 'css', styles[0].source),
  };
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const made = {};
for (const page of pages) {
  made[page] = {};
  for (const language of languages) made[page][language] = await built(page, language);
}
keep('icon', 'svg', readFileSync(join(source, 'icon.svg')));
const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(join(out, 'static.json'), `${JSON.stringify({ files: sorted, pages: made }, null, 2)}\n`);

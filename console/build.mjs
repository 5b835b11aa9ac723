/** Builds the console to dist/console: a page, its scripts, its styles and two fonts, which need no network. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { consoleFont } from './font.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** @throws {Error} after esbuild has printed its errors */
export async function buildConsole(outdir) {
  await build({
    entryPoints: [
      { in: join(here, 'src', 'main.tsx'), out: 'console' },
      { in: join(here, 'console.css'), out: 'console' },
    ],
    outdir,
    bundle: true,
    minify: true,
    splitting: true,
    chunkNames: '[name]',
    format: 'esm',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    external: ['*.woff2'],
    logLevel: 'warning',
  });
  // Otherwise a process of esbuild stays as long as the service that is started after the build.
  await stop();
  copyFileSync(join(here, 'index.html'), join(outdir, 'index.html'));
  writeFileSync(join(outdir, 'noto-sans-400.woff2'), consoleFont('400Regular'));
  writeFileSync(join(outdir, 'noto-sans-600.woff2'), consoleFont('600SemiBold'));
}

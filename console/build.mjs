/** Builds the console to dist/console: three files, which need no network. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));

/** @throws {Error} after esbuild has printed its errors */
export async function buildConsole(outdir) {
  await build({
    entryPoints: { console: join(here, 'src', 'main.tsx') },
    outdir,
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  });
  // Otherwise a process of esbuild stays as long as the service that is started after the build.
  await stop();
  for (const name of ['index.html', 'console.css']) copyFileSync(join(here, name), join(outdir, name));
}

/**
 * Builds dist/, with the console, and that of the client from the sources when they have changed since the last
 * successful build. Called by `npm run build` and, in a checkout, by bin/surety.mjs, so that `npm start` never runs old
 * code.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stampFile = join(dist, '.stamp');
const lock = join(dist, '.lock');

/** What the compiler builds, with the folders of the sources and where their output is. */
const programs = [
  {
    project: 'tsconfig.build.json',
    folders: ['src', 'commands', 'projections', 'queries', 'clients/typescript/src'],
    output: 'dist/src/main.js',
    outputOf: (folder) => `dist/${folder}`,
  },
  {
    project: 'clients/typescript/tsconfig.json',
    folders: ['clients/typescript/src'],
    output: 'clients/typescript/dist/index.js',
    outputOf: () => 'clients/typescript/dist',
  },
];
const consoleFolder = join(root, 'console');
const settings = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'console/package.json',
  ...programs.map(({ project }) => project),
];

/** A lock without a readable owner id expires after this time; a build takes a few seconds. */
const abandonedAfterMs = 60_000;

/**
 * Brings dist/ up to date. On compiler errors it prints them, writes no stamp, so that the next start builds again, and
 * returns false.
 */
export async function buildIfStale() {
  if (isFresh()) return true;
  mkdirSync(dist, { recursive: true });
  const release = await takeLock();
  try {
    // The previous owner of the lock may have built these sources.
    return isFresh() || (await build());
  } finally {
    release();
  }
}

function isFresh() {
  try {
    const outputs = [...programs.map(({ output }) => output), 'dist/console/index.html'];
    const hasOutput = outputs.every((output) => existsSync(join(root, output)));
    return hasOutput && readFileSync(stampFile, 'utf8') === fingerprint();
  } catch {
    return false;
  }
}

async function build() {
  // Computed before the compiler reads, so that a file saved meanwhile counts as changed.
  const stamp = fingerprint();
  rmSync(stampFile, { force: true });
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  for (const { project } of programs) {
    const run = spawnSync(process.execPath, [tsc, '--project', join(root, project)], { encoding: 'utf8' });
    if (run.status !== 0) {
      process.stderr.write(`${run.stdout ?? ''}${run.stderr ?? ''}${run.error ? `${run.error.message}\n` : ''}`);
      return false;
    }
  }
  programs.forEach(removeOrphans);
  writePackage();
  const { buildConsole } = await import(pathToFileURL(join(consoleFolder, 'build.mjs')).href);
  try {
    await buildConsole(join(dist, 'console'));
  } catch {
    // esbuild has printed its errors.
    return false;
  }
  writeFileSync(stampFile, stamp);
  return true;
}

/** Lists path, size and time of every file that the build depends on; added and removed files change it too. */
function fingerprint() {
  const folders = programs.flatMap((program) => program.folders);
  const sources = folders.flatMap((folder) => [...filesBelow(folder, '.ts'), ...filesBelow(folder, '.json')]);
  const files = [...settings, ...sources.filter(isBuilt), ...consoleFiles()];
  return files
    .map((file) => {
      const { size, mtimeMs } = statSync(join(root, file));
      return `${file} ${size} ${mtimeMs}\n`;
    })
    .join('');
}

function consoleFiles() {
  return filesBelow('console').filter(
    (file) => /\.(tsx?|mjs|html|css)$/.test(file) && !file.includes('/node_modules/'),
  );
}

function isBuilt(file) {
  return !file.endsWith('.test.ts');
}

function filesBelow(folder, ending = '') {
  let names;
  try {
    names = readdirSync(join(root, folder), { recursive: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.split(sep).join('/')}`)
    .sort();
}

/** Lets the names of rooms (`#domain/…`) mean the output where they mean the sources in a checkout. */
function writePackage() {
  const { type, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const output = (path) => path.replace(/[.]ts$/, '.js');
  const built = Object.entries(imports).filter(([, path]) => existsSync(join(dist, dirname(path))));
  const names = Object.fromEntries(built.map(([name, path]) => [name, output(path)]));
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ type, imports: names }, null, 2)}\n`);
}

/** Deletes output without a source: the compiler does not, so imports would still resolve and packages include it. */
function removeOrphans({ folders, outputOf }) {
  for (const folder of folders) {
    const sources = new Set(filesBelow(folder, '.ts'));
    for (const output of filesBelow(outputOf(folder), '.js')) {
      const name = output.slice(outputOf(folder).length, -'.js'.length);
      if (sources.has(`${folder}${name}.ts`)) continue;
      for (const ending of ['.js', '.js.map', '.d.ts'])
        rmSync(join(root, `${outputOf(folder)}${name}${ending}`), { force: true });
    }
  }
}

/**
 * Acquires the lock by creating a folder, which succeeds for one process only; waits while a running process holds it.
 */
async function takeLock() {
  for (;;) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), String(process.pid));
      return () => rmSync(lock, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned()) rmSync(lock, { recursive: true, force: true });
    else await sleep(50);
  }
}

function isAbandoned() {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')) || Number.NaN, 0);
    return false;
  } catch (error) {
    if (error.code === 'ESRCH') return true;
  }
  try {
    return Date.now() - statSync(lock).mtimeMs > abandonedAfterMs;
  } catch {
    return false;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = (await buildIfStale()) ? 0 : 1;
}

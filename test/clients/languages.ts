import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

type Program = readonly [string, ...string[]];

/** A language in which a client is generated from `openapi.json`. Its programs are beside this file. */
export interface Language {
  readonly name: string;
  /** What this machine lacks to build the client; undefined when it has everything. */
  readonly missing: string | undefined;
  /**
   * Generates and builds the client in a folder with `openapi.json`, and its program, if it has one: the words that
   * start it.
   */
  readonly build: (folder: string) => Promise<Program | undefined>;
  /** False where the client is only compiled. Default: true. */
  readonly callsService?: boolean;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0';
const TYPESCRIPT = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const MAVEN_COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

const execute = promisify(execFile);
const TIMEOUT_MS = 170_000;

/** Runs a program. @throws {Error} with all of its output when it fails */
export async function run(
  [program, ...words]: Program,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  try {
    // What programs leave in the folder of temporary files is removed with the folder of the test.
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary, { recursive: true });
    const env = { ...process.env, TMPDIR: temporary, ...settings };
    return await execute(program, words, { cwd: folder, env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${program} ${words.join(' ')}:\n${stdout ?? ''}${stderr ?? ''}`, { cause: error });
  }
}

/** Returns what a program prints; undefined when it is missing or fails. */
function outputOf(program: string, ...words: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  return status === 0 ? stdout + stderr : undefined;
}

function missingForPython(): string | undefined {
  const test = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))';
  return outputOf('python3', '-c', test) === undefined ? 'no Python 3.11 or later with venv' : undefined;
}

async function buildPython(folder: string): Promise<Program> {
  const bin = join(folder, 'venv', 'bin');
  const settings = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  await run(['python3', '-m', 'venv', 'venv'], folder);
  const pip = [join(bin, 'python'), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'] as const;
  await run([...pip, '--requirement', join(here, 'requirements.txt')], folder);
  const generate = [
    'generate',
    '--path',
    'openapi.json',
    '--output-path',
    'client',
    '--meta',
    'poetry',
    '--config',
    join(here, 'python.yaml'),
  ];
  const { stderr } = await run([join(bin, 'openapi-python-client'), ...generate], folder, settings);
  const warnings = stderr.split('\n').filter((line) => line.startsWith('WARNING'));
  if (warnings.length > 0) throw new Error(stderr);
  await run([...pip, '--no-deps', '--no-build-isolation', './client'], folder);
  return [join(bin, 'python'), join(here, 'calls.py')];
}

const javaVersion = Number(/version "(\d+)/.exec(outputOf('java', '-version') ?? '')?.[1] ?? 0);

/** What OpenAPI Generator lacks, which Maven downloads. */
function missingForGenerator(): string | undefined {
  if (javaVersion < 17) return 'no Java 17 or later';
  return outputOf('mvn', '--version') === undefined ? 'no Maven' : undefined;
}

let jar: Promise<string> | undefined;

/** Generates a client into `client` with OpenAPI Generator, whose jar is beside the folders of all languages. */
async function generate(folder: string, generator: string, ...words: readonly string[]): Promise<string> {
  jar ??= downloadGenerator(dirname(folder));
  const client = join(folder, 'client');
  const input = ['-g', generator, '-i', 'openapi.json', '-o', client];
  await run(['java', '-jar', await jar, 'generate', ...input, ...words], folder);
  return client;
}

async function downloadGenerator(folder: string): Promise<string> {
  const properties = [`-Dartifact=${GENERATOR}`, `-DoutputDirectory=${folder}`, '-Dmdep.stripVersion=true'];
  await run(['mvn', '--batch-mode', '--quiet', MAVEN_COPY, ...properties], folder);
  return join(folder, 'openapi-generator-cli.jar');
}

function missingForGo(): string | undefined {
  return outputOf('go', 'version') === undefined ? 'no Go' : missingForGenerator();
}

async function buildGo(folder: string): Promise<Program> {
  const properties = 'packageName=surety,disallowAdditionalPropertiesIfNotPresent=false';
  const names = ['--git-host', 'example.com', '--git-user-id', 'surety', '--git-repo-id', 'client'];
  const client = await generate(folder, 'go', ...names, '--additional-properties', properties);
  rmSync(join(client, 'test'), { recursive: true });
  mkdirSync(join(client, 'calls'));
  cpSync(join(here, 'calls.go'), join(client, 'calls', 'main.go'));
  // The generator writes no checksums of its one dependency, and no other Go than the installed one is downloaded.
  const settings = { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
  await run(['go', 'build', '-o', `${join(folder, 'built')}/`, './...'], client, settings);
  return [join(folder, 'built', 'calls')];
}

function missingForJava(): string | undefined {
  return outputOf('javac', '-version') === undefined ? 'no JDK' : missingForGenerator();
}

async function buildJava(folder: string): Promise<undefined> {
  const client = await generate(folder, 'java');
  await run(['mvn', '--batch-mode', '--quiet', 'compile'], client);
}

async function buildTypeScript(folder: string): Promise<Program> {
  const client = await generate(folder, 'typescript-fetch');
  const compilerOptions = { target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', strict: true, types: [] };
  writeFileSync(
    join(client, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, outDir: 'built' } }),
  );
  await run([process.execPath, TYPESCRIPT, '--project', client], folder);
  return [process.execPath, join(here, 'calls.mjs')];
}

export const LANGUAGES: readonly Language[] = [
  { name: 'Python', missing: missingForPython(), build: buildPython },
  { name: 'Go', missing: missingForGo(), build: buildGo },
  { name: 'Java', missing: missingForJava(), build: buildJava, callsService: false },
  { name: 'TypeScript', missing: missingForGenerator(), build: buildTypeScript },
];

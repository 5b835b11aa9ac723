import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { plainEnvironment } from './service-process.ts';

/** A step of a page: commands and the output that the page shows. */
export interface Step {
  /** The heading above it. */
  readonly heading: string;
  readonly commands: string;
  readonly expected: { readonly kind: 'json' | 'text'; readonly text: string } | undefined;
}

/** Returns the ```sh blocks of a page, each with the ```json or ```text block that follows it; ignores other blocks. */
export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  let heading = '';
  for (const [, title, kind = '', text = ''] of page.matchAll(/^## (.+)$|^```(\w+)\n([\s\S]*?)\n```$/gm)) {
    if (title !== undefined) heading = title;
    else if (kind === 'sh') steps.push({ heading, commands: text, expected: undefined });
    else if (kind === 'json' || kind === 'text') {
      const step = steps.pop();
      if (step === undefined || step.expected !== undefined)
        throw new Error(`no commands for the output below "${heading}"`);
      steps.push({ ...step, expected: { kind, text } });
    }
  }
  return steps;
}

/**
 * Compares a value with what the page shows; `…` matches any value and, as the last item or a member name, any
 * additional ones.
 */
export function differences(expected: unknown, actual: unknown, path = ''): readonly string[] {
  if (expected === '…') return actual === undefined ? [`${path} is missing`] : [];
  if (typeof expected === 'string') {
    return typeof actual === 'string' && matchesPattern(expected, actual)
      ? []
      : [`${path} is ${JSON.stringify(actual)}`];
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${path} is not a list`];
    const ellipsis = expected.at(-1) === '…';
    const items = ellipsis ? expected.slice(0, -1) : expected;
    const hasExpectedLength = ellipsis ? actual.length >= items.length : actual.length === items.length;
    return [
      ...(hasExpectedLength ? [] : [`${path} has ${actual.length} items`]),
      ...items.flatMap((item, index) => differences(item, actual[index], `${path}/${index}`)),
    ];
  }
  if (typeof expected !== 'object' || expected === null)
    return expected === actual ? [] : [`${path} is ${JSON.stringify(actual)}`];
  if (typeof actual !== 'object' || actual === null) return [`${path} is not an object`];
  const { '…': ellipsis, ...members } = expected as Record<string, unknown>;
  const unexpected = ellipsis === undefined ? Object.keys(actual).filter((name) => !(name in members)) : [];
  return [
    ...unexpected.map((name) => `${path}/${name} is not shown`),
    ...Object.entries(members).flatMap(([name, member]) =>
      differences(member, (actual as Record<string, unknown>)[name], `${path}/${name}`),
    ),
  ];
}

/** Returns whether a text matches what the page shows; `…` matches any text. */
export function matchesPattern(expected: string, actual: string): boolean {
  const parts = expected.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(actual);
}

/** Addresses of the service and of the mail page in the documentation. */
const DOCUMENTED_URL = 'http://127.0.0.1:3000';
const DOCUMENTED_MAIL_PAGE = 'http://127.0.0.1:8025';
/** Below jest's timeout, so that the error includes the output so far. */
const TIMEOUT_MS = 150_000;
/** Separates the outputs of two steps. */
const SEPARATOR = '-----border-----';

/** Returns whether a shell and curl are installed. */
export function canRunShell(): boolean {
  return ['sh', 'curl'].every((tool) => spawnSync(tool, ['-c', 'true']).error === undefined);
}

/** Returns docs/tutorial.md with the address of the service. */
export function tutorialFor(url: string): string {
  return readPage('tutorial.md').replaceAll(DOCUMENTED_URL, url);
}

/**
 * Returns docs/tutorial.md with lines replaced by those of docs/runbook.md for docker compose that begin with the same
 * word.
 * @throws {Error} when not exactly one line begins with that word
 */
export function tutorialOnCompose(url: string, mailPage: string): string {
  const [, block = ''] =
    /^### The tutorial on docker compose$[\s\S]*?^```console\n([\s\S]*?)\n```$/m.exec(readPage('runbook.md')) ?? [];
  const lines = tutorialFor(url).split('\n');
  for (const line of block.replaceAll(DOCUMENTED_MAIL_PAGE, mailPage).split('\n')) {
    const [firstWord = ''] = /^\w+[= ]/.exec(line) ?? [];
    const lineNumbers = [...lines.keys()].filter((number) => firstWord !== '' && lines[number]?.startsWith(firstWord));
    const [index] = lineNumbers;
    if (index === undefined || lineNumbers.length > 1)
      throw new Error(`${lineNumbers.length} lines of the tutorial begin with "${firstWord}"`);
    lines[index] = line;
  }
  return lines.join('\n');
}

/**
 * Runs the steps of a page by a shell in a folder and compares the output of each step with the page.
 * @returns a text for each step that differs, for output on stderr, and for a timeout
 */
export async function runTutorial(page: string, folder: string): Promise<readonly string[]> {
  const steps = stepsOf(page);
  const script = steps.map(({ commands }) => `${commands}\necho; echo ${SEPARATOR}\n`).join('');
  const shell = spawn('sh', ['-u'], { cwd: folder, env: plainEnvironment(), timeout: TIMEOUT_MS });
  shell.stdin.end(script);
  const [stdout, stderr, closeEvent] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close'),
  ]);
  const [, signal] = closeEvent as [number | null, NodeJS.Signals | null];
  const outputs = stdout.split(`${SEPARATOR}\n`);
  const failures = steps.flatMap(({ heading, commands, expected }, index) => {
    const output = (outputs[index] ?? '').trim();
    const stepDifferences = differencesOf(expected, output);
    return stepDifferences.length === 0 ? [] : [`${heading}\n${commands}\n${stepDifferences.join('\n')}\n${output}`];
  });
  const timeouts = signal === null ? [] : [`The shell was stopped by ${signal} after ${TIMEOUT_MS / 1_000} s.`];
  return [...timeouts, ...failures, ...(stderr === '' ? [] : [stderr])];
}

function differencesOf(expected: Step['expected'], output: string): readonly string[] {
  if (expected === undefined) return output === '' ? [] : ['the page shows no output'];
  if (expected.kind === 'json') return differences(JSON.parse(expected.text), parseJson(output));
  return matchesPattern(expected.text, output) ? [] : ['the page shows another text'];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readPage(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** A step of a page: commands and the output that the page shows. */
export interface Step {
  /** The heading above it. */
  readonly heading: string;
  readonly commands: string;
  readonly shown: { readonly kind: 'json' | 'text'; readonly text: string } | undefined;
}

/** Returns the ```sh blocks of a page, each with the ```json or ```text block that follows it; ignores other blocks. */
export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  let heading = '';
  for (const [, title, kind = '', text = ''] of page.matchAll(/^## (.+)$|^```(\w+)\n([\s\S]*?)\n```$/gm)) {
    if (title !== undefined) heading = title;
    else if (kind === 'sh') steps.push({ heading, commands: text, shown: undefined });
    else if (kind === 'json' || kind === 'text') {
      const step = steps.pop();
      if (step === undefined || step.shown !== undefined)
        throw new Error(`no commands for the output below "${heading}"`);
      steps.push({ ...step, shown: { kind, text } });
    }
  }
  return steps;
}

/** Compares a value with what the page shows; `…` matches any value and, as the last item or a member name, any additional ones. */
export function differences(shown: unknown, given: unknown, path = ''): readonly string[] {
  if (shown === '…') return given === undefined ? [`${path} is missing`] : [];
  if (typeof shown === 'string') {
    return typeof given === 'string' && matchesPattern(shown, given) ? [] : [`${path} is ${JSON.stringify(given)}`];
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(given)) return [`${path} is not a list`];
    const open = shown.at(-1) === '…';
    const items = open ? shown.slice(0, -1) : shown;
    const fits = open ? given.length >= items.length : given.length === items.length;
    return [
      ...(fits ? [] : [`${path} has ${given.length} items`]),
      ...items.flatMap((item, index) => differences(item, given[index], `${path}/${index}`)),
    ];
  }
  if (typeof shown !== 'object' || shown === null)
    return shown === given ? [] : [`${path} is ${JSON.stringify(given)}`];
  if (typeof given !== 'object' || given === null) return [`${path} is not an object`];
  const { '…': open, ...members } = shown as Record<string, unknown>;
  const more = open === undefined ? Object.keys(given).filter((name) => !(name in members)) : [];
  return [
    ...more.map((name) => `${path}/${name} is not shown`),
    ...Object.entries(members).flatMap(([name, member]) =>
      differences(member, (given as Record<string, unknown>)[name], `${path}/${name}`),
    ),
  ];
}

/** Returns whether a text matches what the page shows; `…` matches any text. */
export function matchesPattern(shown: string, given: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(given);
}

/** Addresses of the service and of the mail page in the documentation. */
const WRITTEN_URL = 'http://127.0.0.1:3000';
const WRITTEN_MAIL_PAGE = 'http://127.0.0.1:8025';
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
  return page('tutorial.md').replaceAll(WRITTEN_URL, url);
}

/**
 * Returns docs/tutorial.md with lines replaced by those of docs/runbook.md for docker compose that begin with the same word.
 * @throws {Error} when not exactly one line begins with that word
 */
export function tutorialOnCompose(url: string, mailPage: string): string {
  const [, block = ''] =
    /^### The tutorial on docker compose$[\s\S]*?^```console\n([\s\S]*?)\n```$/m.exec(page('runbook.md')) ?? [];
  const lines = tutorialFor(url).split('\n');
  for (const line of block.replaceAll(WRITTEN_MAIL_PAGE, mailPage).split('\n')) {
    const [beginning = ''] = /^\w+[= ]/.exec(line) ?? [];
    const matching = [...lines.keys()].filter((number) => beginning !== '' && lines[number]?.startsWith(beginning));
    const [index] = matching;
    if (index === undefined || matching.length > 1)
      throw new Error(`${matching.length} lines of the tutorial begin with "${beginning}"`);
    lines[index] = line;
  }
  return lines.join('\n');
}

/**
 * Runs the steps of a page by a shell in a folder and compares the output of each step with the page.
 * @returns a text for each step that differs, for output on stderr, and for a timeout
 */
export async function runTutorial(written: string, folder: string): Promise<readonly string[]> {
  const steps = stepsOf(written);
  const script = steps.map(({ commands }) => `${commands}\necho; echo ${SEPARATOR}\n`).join('');
  const shell = spawn('sh', ['-u'], { cwd: folder, timeout: TIMEOUT_MS });
  shell.stdin.end(script);
  const [stdout, stderr, closed] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
  const [, signal] = closed as [number | null, NodeJS.Signals | null];
  const outputs = stdout.split(`${SEPARATOR}\n`);
  const wrong = steps.flatMap(({ heading, commands, shown }, index) => {
    const output = (outputs[index] ?? '').trim();
    const found = differencesOf(shown, output);
    return found.length === 0 ? [] : [`${heading}\n${commands}\n${found.join('\n')}\n${output}`];
  });
  const ended = signal === null ? [] : [`The shell was stopped by ${signal} after ${TIMEOUT_MS / 1_000} s.`];
  return [...ended, ...wrong, ...(stderr === '' ? [] : [stderr])];
}

function differencesOf(shown: Step['shown'], output: string): readonly string[] {
  if (shown === undefined) return output === '' ? [] : ['the page shows no output'];
  if (shown.kind === 'json') return differences(JSON.parse(shown.text), parseJson(output));
  return matchesPattern(shown.text, output) ? [] : ['the page shows another text'];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function page(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');
}

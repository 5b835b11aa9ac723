import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** A piece of a page that is run: commands, and what the page shows of their output. */
export interface Step {
  /** The heading above it. */
  readonly heading: string;
  readonly commands: string;
  readonly shown: { readonly kind: 'json' | 'text'; readonly text: string } | undefined;
}

/** The blocks ```sh of a page, each with the block ```json or ```text right behind it. Other blocks are not run. */
export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  let heading = '';
  for (const [, title, kind = '', text = ''] of page.matchAll(/^## (.+)$|^```(\w+)\n([\s\S]*?)\n```$/gm)) {
    if (title !== undefined) heading = title;
    else if (kind === 'sh') steps.push({ heading, commands: text, shown: undefined });
    else if (kind === 'json' || kind === 'text') {
      const step = steps.pop();
      if (step === undefined || step.shown !== undefined)
        throw new Error(`nothing gives the output below "${heading}"`);
      steps.push({ ...step, shown: { kind, text } });
    }
  }
  return steps;
}

/** Where the given value is not what is shown; `…` stands for anything, as a member for any further ones. */
export function differences(shown: unknown, given: unknown, path = ''): readonly string[] {
  if (shown === '…') return given === undefined ? [`${path} is not there`] : [];
  if (typeof shown === 'string') {
    return typeof given === 'string' && matches(shown, given) ? [] : [`${path} is ${JSON.stringify(given)}`];
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(given)) return [`${path} is no list`];
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
  if (typeof given !== 'object' || given === null) return [`${path} is no object`];
  const { '…': open, ...members } = shown as Record<string, unknown>;
  const more = open === undefined ? Object.keys(given).filter((name) => !(name in members)) : [];
  return [
    ...more.map((name) => `${path}/${name} is not shown`),
    ...Object.entries(members).flatMap(([name, member]) =>
      differences(member, (given as Record<string, unknown>)[name], `${path}/${name}`),
    ),
  ];
}

/** Whether a text is what is shown, `…` standing for any text. */
export function matches(shown: string, given: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(given);
}

/** Where the commands of the pages find the service, and the page of the mail catcher. */
const WRITTEN_URL = 'http://127.0.0.1:3000';
const WRITTEN_MAIL_PAGE = 'http://127.0.0.1:8025';
/** Below what jest gives such a test, so that what came until then is told. */
const WITHIN_MS = 150_000;
/** Stands between the outputs of two steps. */
const BORDER = '-----border-----';

/** Without a shell and curl nobody can follow the page. */
export function canFollow(): boolean {
  return ['sh', 'curl'].every((tool) => spawnSync(tool, ['-c', 'true']).error === undefined);
}

/** docs/tutorial.md for a service under this address. */
export function tutorialFor(url: string): string {
  return page('tutorial.md').replaceAll(WRITTEN_URL, url);
}

/**
 * docs/tutorial.md with the lines that docs/runbook.md has for docker compose in place of those that begin alike.
 * @throws {Error} when such a line is not there, or there twice
 */
export function tutorialOnCompose(url: string, mailPage: string): string {
  const [, block = ''] =
    /^### The tutorial on docker compose$[\s\S]*?^```console\n([\s\S]*?)\n```$/m.exec(page('runbook.md')) ?? [];
  const lines = tutorialFor(url).split('\n');
  for (const line of block.replaceAll(WRITTEN_MAIL_PAGE, mailPage).split('\n')) {
    const [beginning = ''] = /^\w+[= ]/.exec(line) ?? [];
    const places = [...lines.keys()].filter((place) => beginning !== '' && lines[place]?.startsWith(beginning));
    const [place] = places;
    if (place === undefined || places.length > 1)
      throw new Error(`${places.length} lines of the tutorial begin with "${beginning}"`);
    lines[place] = line;
  }
  return lines.join('\n');
}

/**
 * Has a shell run a page in a folder and compares what each step gives with what the page shows.
 * @returns a text for each step that differs, one for what was written to the error output, and one when the shell was ended before its end
 */
export async function follow(written: string, folder: string): Promise<readonly string[]> {
  const steps = stepsOf(written);
  const script = steps.map(({ commands }) => `${commands}\necho; echo ${BORDER}\n`).join('');
  const shell = spawn('sh', ['-u'], { cwd: folder, timeout: WITHIN_MS });
  shell.stdin.end(script);
  const [stdout, stderr, closed] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
  const [, signal] = closed as [number | null, NodeJS.Signals | null];
  const outputs = stdout.split(`${BORDER}\n`);
  const wrong = steps.flatMap(({ heading, commands, shown }, index) => {
    const output = (outputs[index] ?? '').trim();
    const found = differencesOf(shown, output);
    return found.length === 0 ? [] : [`${heading}\n${commands}\n${found.join('\n')}\n${output}`];
  });
  const ended = signal === null ? [] : [`The shell was ended by ${signal}; it has ${WITHIN_MS / 1_000} s.`];
  return [...ended, ...wrong, ...(stderr === '' ? [] : [stderr])];
}

function differencesOf(shown: Step['shown'], output: string): readonly string[] {
  if (shown === undefined) return output === '' ? [] : ['no output is shown'];
  if (shown.kind === 'json') return differences(JSON.parse(shown.text), parsed(output));
  return matches(shown.text, output) ? [] : ['another text is shown'];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function page(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');
}

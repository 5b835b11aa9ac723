import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from '@jest/globals';
import { waitUntil } from '../../support/wait-until.ts';

const program = fileURLToPath(new URL('consumer.py', import.meta.url));
const topicProgram = fileURLToPath(new URL('topic_consumer.py', import.meta.url));

/** Below jest's timeout for tests, so that the error has what the consumer reported. */
const RUN_TIMEOUT_MS = 30_000;

/** Policies in force by product type, of one day after the other. */
export type FiguresOfDays = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What `consumer.py` keeps. */
interface State {
  /** `lastEventId=` with its cursor. */
  readonly start: string;
  readonly policies: Readonly<Record<string, object>>;
}

export interface ConsumerResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly figures: FiguresOfDays;
  readonly stderr: string;
}

/** Declares a suite that runs `consumer.py`; skipped without Python, with the reason in its title. */
export function describeWithPython(title: string, suite: () => void): void {
  const { status } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);
  const describeIfPossible = status === 0 ? describe : describe.skip;
  describeIfPossible(status === 0 ? title : `${title} (skipped: no Python 3.9 or later)`, suite);
}

/** The consumer of the feed in Python, with the file of its state. */
export class FeedConsumer {
  readonly #file: string;
  readonly #days: readonly string[];

  constructor(file: string, days: readonly string[]) {
    this.#file = file;
    this.#days = days;
  }

  /** What it has kept; undefined before its first page. */
  get state(): State | undefined {
    return existsSync(this.#file) ? (JSON.parse(readFileSync(this.#file, 'utf8')) as State) : undefined;
  }

  /** Runs it until it has read the feed to its end. */
  async run(url: string, key: string, ...words: readonly string[]): Promise<ConsumerResult> {
    return await this.start(url, key, { words }).result;
  }

  /** Runs it again, as a supervisor does, until it has read the feed to its end. */
  async runUntilDone(url: string, key: string, limit?: number): Promise<FiguresOfDays> {
    let result: ConsumerResult | undefined;
    const run = async (): Promise<FiguresOfDays | false> => {
      result = await this.start(url, key, { limit }).result;
      return result.code === 0 && result.figures;
    };
    return await waitUntil(run, () => result?.stderr, RUN_TIMEOUT_MS);
  }

  /** Starts it. @param limit events on a page */
  start(
    url: string,
    key: string,
    { words = [], limit = 1_000 }: { readonly words?: readonly string[]; readonly limit?: number | undefined } = {},
  ): { readonly child: ChildProcess; readonly result: Promise<ConsumerResult> } {
    const settings = { SURETY_URL: url, SURETY_KEY: key, LIMIT: String(limit) };
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings };
    const child = spawn('python3', [program, this.#file, ...this.#days, ...words], { env });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const result = new Promise<ConsumerResult>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code, signal, figures: figuresIn(stdout), stderr }));
    });
    return { child, result };
  }

  /** Starts it with pages of one event, and waits until it has read some. */
  async startAndWaitForPages(url: string, key: string): Promise<ReturnType<FeedConsumer['start']>> {
    const before = this.state?.start;
    const started = this.start(url, key, { limit: 1 });
    await waitUntil(() => this.state !== undefined && this.state.start !== before);
    return started;
  }
}

/** Whether `readPolicyMessages` can run. */
export const hasKcat = spawnSync('kcat', ['-V']).status === 0;

const outputOptions = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const;

/** Reads the live topic of policies with `kcat`: of each message a line with its headers and its value. */
export function readPolicyMessages(brokers: string): readonly string[] {
  const words = ['-b', brokers, '-t', 'surety.policies.v1', '-C', '-o', 'beginning', '-e', '-q', '-f', '%h\t%s\n'];
  return execFileSync('kcat', words, outputOptions).trimEnd().split('\n');
}

/** Returns what `topic_consumer.py` counts in the lines of `readPolicyMessages`. */
export function countFromTopic(messages: readonly string[], days: readonly string[]): FiguresOfDays {
  const input = `${messages.join('\n')}\n`;
  return figuresIn(execFileSync('python3', [topicProgram, ...days], { ...outputOptions, input }));
}

function figuresIn(output: string): FiguresOfDays {
  const lines = output.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, 10), JSON.parse(line.slice(11)) as object]),
  ) as FiguresOfDays;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FolderHeld, FolderMigrated, openJobQueues } from '../container.ts';
import { serversInForce, type Settings } from '../config.ts';
import { type DeadLetter, type JobQueues, NoSuchLetters } from '../messaging/messaging.ts';
import { MAIL_QUEUE } from '../processes/mail-jobs/mail-job-of.ts';
import { FILES } from '../runtime/data-folder.ts';
import type { Logger } from '../runtime/logging.ts';
import { parseWords } from './arguments.ts';
import { CannotDo, EXIT, WrongUse } from './outcome.ts';

const QUEUES: readonly string[] = [MAIL_QUEUE];

const WORDS = ['list', 'replay', 'discard'] as const;

/** `surety dead-letters list|replay [QUEUE]`, `surety dead-letters discard [QUEUE] PLACE...`: jobs that nobody could do by itself. */
export async function runDeadLetters(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, { json: { type: 'boolean', default: false } });
  const { what, queue, places } = wanted(positionals);
  refuseWithoutBroker(settings);
  const { jobQueues, lifecycle } = await opened(settings, log, { alsoMigrated: what === 'list' });
  try {
    const answers = {
      list: async () => await listed(jobQueues, queue, values.json),
      replay: async () => await replayed(jobQueues, queue, values.json),
      discard: async () => await discarded(jobQueues, queue, places, values.json),
    };
    process.stdout.write(`${await answers[what]()}\n`);
    return EXIT.done;
  } finally {
    await lifecycle.stop();
  }
}

/**
 * No records are asked here, which may be down: beside other servers a forgotten address would show a folder without jobs.
 * @throws {CannotDo}
 */
function refuseWithoutBroker(settings: Settings): void {
  const { eventStoreUrl, mongoUrl, kafkaBrokers, dataFolder } = settings;
  if (kafkaBrokers !== undefined || (eventStoreUrl === undefined && mongoUrl === undefined)) return;
  if (existsSync(join(dataFolder, FILES.jobs))) return;
  throw new CannotDo(
    `${serversInForce(settings)}: set KAFKA_BROKERS; or, if the jobs lie in the data folder ${dataFolder}, run this without ` +
      'EVENTSTORE_URL and MONGODB_URL.',
  );
}

interface Wanted {
  readonly what: (typeof WORDS)[number];
  readonly queue: string;
  /** Of letters that are to be discarded. */
  readonly places: readonly string[];
}

/** What the command line asks for. @throws {WrongUse} */
function wanted([word, ...rest]: readonly string[]): Wanted {
  const what = WORDS.find((known) => known === word);
  if (what === undefined) throw new WrongUse('surety dead-letters takes list, replay or discard.');
  if (what === 'discard') {
    const [first = ''] = rest;
    const [queue, places] = QUEUES.includes(first) ? [first, rest.slice(1)] : [MAIL_QUEUE, rest];
    if (places.length === 0) throw new WrongUse('surety dead-letters discard needs places, as list tells them.');
    return { what, queue, places };
  }
  const [queue = MAIL_QUEUE, ...more] = rest;
  if (more.length > 0) throw new WrongUse(`surety dead-letters ${what} takes the name of a queue at most.`);
  if (!QUEUES.includes(queue)) throw new WrongUse(`${queue} is no queue; there is: ${QUEUES.join(', ')}.`);
  return { what, queue, places: [] };
}

async function opened(...parameters: Parameters<typeof openJobQueues>): ReturnType<typeof openJobQueues> {
  try {
    return await openJobQueues(...parameters);
  } catch (error) {
    if (error instanceof FolderHeld) throw new CannotDo(`${error.message}: stop it first.`, { cause: error });
    if (error instanceof FolderMigrated) throw new CannotDo(`${error.message}.`, { cause: error });
    throw error;
  }
}

async function listed(jobQueues: JobQueues, queue: string, asJson: boolean): Promise<string> {
  const letters = await jobQueues.deadLetters(queue);
  if (asJson) return JSON.stringify(letters.map(inJson));
  return [...letters.map(inLine), `${queue} has ${counted(letters.length)}.`].join('\n');
}

async function replayed(jobQueues: JobQueues, queue: string, asJson: boolean): Promise<string> {
  const count = await jobQueues.replayDeadLetters(queue);
  return asJson ? JSON.stringify({ replayed: count }) : `${counted(count)} put into ${queue} again.`;
}

async function discarded(
  jobQueues: JobQueues,
  queue: string,
  places: readonly string[],
  asJson: boolean,
): Promise<string> {
  const letters = await discardedFrom(jobQueues, queue, places);
  if (asJson) return JSON.stringify({ discarded: letters.map(inJson) });
  return [...letters.map(inLine), `${counted(letters.length)} of ${queue} discarded.`].join('\n');
}

async function discardedFrom(
  jobQueues: JobQueues,
  queue: string,
  places: readonly string[],
): Promise<readonly DeadLetter[]> {
  try {
    return await jobQueues.discardDeadLetters(queue, places);
  } catch (error) {
    if (!(error instanceof NoSuchLetters)) throw error;
    const sentence = `${error.message} of ${queue}: nothing was discarded this time; surety dead-letters list tells where they lie.`;
    throw new CannotDo(sentence, { cause: error });
  }
}

function inJson({ place, diedAt, job, reason }: DeadLetter): object {
  return { place, died_at: diedAt ?? null, id: job.id, reason, body: job.body };
}

function inLine({ place, diedAt, job, reason }: DeadLetter): string {
  return [place, diedAt ?? 'unknown when', shown(job.id) || 'no id', shown(reason)].join('  ');
}

/** A stranger's words do nothing to a terminal. */
function shown(text: string): string {
  return text.replaceAll(/\p{C}/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

function counted(count: number): string {
  return `${count} dead letter${count === 1 ? '' : 's'}`;
}

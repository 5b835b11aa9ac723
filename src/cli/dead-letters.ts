import { FolderHeld, openJobQueues } from '../container.ts';
import type { Settings } from '../config.ts';
import type { JobQueues } from '../messaging/messaging.ts';
import { MAIL_QUEUE } from '../processes/mail-jobs/mail-job-of.ts';
import type { Logger } from '../runtime/logging.ts';
import { parseWords } from './arguments.ts';
import { CannotDo, EXIT, WrongUse } from './outcome.ts';

const QUEUES: readonly string[] = [MAIL_QUEUE];

/** `surety dead-letters list|replay [QUEUE]`: jobs that nobody could do by itself. */
export async function runDeadLetters(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, { json: { type: 'boolean', default: false } });
  const [what, queue = MAIL_QUEUE, ...more] = positionals;
  if ((what !== 'list' && what !== 'replay') || more.length > 0) {
    throw new WrongUse('surety dead-letters takes list or replay, and the name of a queue.');
  }
  if (!QUEUES.includes(queue)) throw new WrongUse(`${queue} is no queue; there is: ${QUEUES.join(', ')}.`);
  const { jobQueues, lifecycle } = await opened(settings, log);
  try {
    const answer =
      what === 'list' ? await listed(jobQueues, queue, values.json) : await replayed(jobQueues, queue, values.json);
    process.stdout.write(`${answer}\n`);
    return EXIT.done;
  } finally {
    await lifecycle.stop();
  }
}

async function opened(settings: Settings, log: Logger): ReturnType<typeof openJobQueues> {
  try {
    return await openJobQueues(settings, log);
  } catch (error) {
    if (error instanceof FolderHeld) throw new CannotDo(`${error.message}: stop it first.`, { cause: error });
    throw error;
  }
}

async function listed(jobQueues: JobQueues, queue: string, asJson: boolean): Promise<string> {
  const letters = await jobQueues.deadLetters(queue);
  if (asJson) return JSON.stringify(letters.map(({ job, reason }) => ({ id: job.id, reason, body: job.body })));
  const lines = letters.map(({ job, reason }) => `${job.id}  ${reason}`);
  return [...lines, `${queue} has ${counted(letters.length)}.`].join('\n');
}

async function replayed(jobQueues: JobQueues, queue: string, asJson: boolean): Promise<string> {
  const count = await jobQueues.replayDeadLetters(queue);
  return asJson ? JSON.stringify({ replayed: count }) : `${counted(count)} put into ${queue} again.`;
}

function counted(count: number): string {
  return `${count} dead letter${count === 1 ? '' : 's'}`;
}

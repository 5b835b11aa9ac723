import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSqliteJobQueues } from '../../src/messaging/sqlite/sqlite-job-queues.ts';
import { cleanUp, runSurety, temporaryFolder } from '../support/service-process.ts';

const QUEUE = 'surety.jobs.mail.v1';
const DIED_AT = '2026-03-01T10:00:00.000Z';
let base: string;
let folder: string;

beforeAll(async () => {
  base = temporaryFolder();
  folder = join(base, 'data');
  expect(await runSurety(['setup'], { folder })).toMatchObject({ code: 0 });
});
afterAll(async () => await cleanUp(base, []));

/** Makes a job die in the folder, as the service does. */
async function letDie(id: string): Promise<void> {
  const queues = openSqliteJobQueues({ file: join(folder, 'jobs.db'), now: () => DIED_AT });
  await queues.publish(QUEUE, [{ id, body: { of: 'nobody' } }]);
  const died = Promise.withResolvers<void>();
  const consumer = queues.consume(QUEUE, {
    concurrency: 1,
    handle: async () => {
      died.resolve();
      return await Promise.resolve({ kind: 'dead', reason: 'unreadable' });
    },
  });
  await died.promise;
  await consumer.stop();
  await queues.close();
}

async function deadLetters(...words: readonly string[]): Promise<string> {
  const { code, stdout } = await runSurety(['dead-letters', ...words], { folder });
  expect(code).toBe(0);
  return stdout;
}

test('given a job among the dead letters, then it is listed with when it died and where it lies, and replayed once', async () => {
  await letDie('mail-1');
  expect(await deadLetters('list')).toBe(`1/1  ${DIED_AT}  mail-1  unreadable\n${QUEUE} has 1 dead letter.\n`);
  const listed = [{ place: '1/1', died_at: DIED_AT, id: 'mail-1', reason: 'unreadable', body: { of: 'nobody' } }];
  expect(JSON.parse(await deadLetters('list', QUEUE, '--json'))).toEqual(listed);
  expect(await deadLetters('replay')).toBe(`1 dead letter put into ${QUEUE} again.\n`);
  expect(await deadLetters('replay', '--json')).toBe('{"replayed":0}\n');
});

test('given letters that nobody can ever do, when they are discarded, then that is told, and they are gone', async () => {
  await letDie('junk \u001b[2J');
  await letDie('more');
  const places = (JSON.parse(await deadLetters('list', '--json')) as { place: string }[]).map(({ place }) => place);
  const [junk = '', more = ''] = places;
  const refused = await runSurety(['dead-letters', 'discard', junk, 'nowhere'], { folder });
  const sentence = `No dead letter lies at nowhere of ${QUEUE}: nothing was discarded this time; surety dead-letters list tells where they lie.\n`;
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: sentence });
  const told = `${junk}  ${DIED_AT}  junk \\u{1b}[2J  unreadable\n1 dead letter of ${QUEUE} discarded.\n`;
  expect(await deadLetters('discard', junk)).toBe(told);
  const answer: unknown = JSON.parse(await deadLetters('discard', QUEUE, more, '--json'));
  expect(answer).toMatchObject({ discarded: [{ place: more, id: 'more' }] });
  expect(await deadLetters('list')).toBe(`${QUEUE} has 0 dead letters.\n`);
});

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSqliteJobQueues } from '../../src/messaging/sqlite/sqlite-job-queues.ts';
import { cleanUp, runSurety, temporaryFolder } from '../support/service-process.ts';

const QUEUE = 'surety.jobs.mail.v1';
let base: string;
let folder: string;

beforeAll(() => {
  base = temporaryFolder();
  folder = join(base, 'data');
});
afterAll(async () => await cleanUp(base, []));

test('given a job among the dead letters, then it is listed, and replayed once', async () => {
  expect(await runSurety(['setup'], { folder })).toMatchObject({ code: 0 });
  const queues = openSqliteJobQueues({ file: join(folder, 'jobs.db'), now: () => new Date().toISOString() });
  await queues.publish(QUEUE, [{ id: 'mail-1', body: { of: 'nobody' } }]);
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
  const deadLetters = async (...words: readonly string[]): Promise<string> => {
    const { code, stdout } = await runSurety(['dead-letters', ...words], { folder });
    expect(code).toBe(0);
    return stdout;
  };
  expect(await deadLetters('list')).toBe(`mail-1  unreadable\n${QUEUE} has 1 dead letter.\n`);
  const listed = [{ id: 'mail-1', reason: 'unreadable', body: { of: 'nobody' } }];
  expect(JSON.parse(await deadLetters('list', QUEUE, '--json'))).toEqual(listed);
  expect(await deadLetters('replay')).toBe(`1 dead letter put into ${QUEUE} again.\n`);
  expect(await deadLetters('replay', '--json')).toBe('{"replayed":0}\n');
});

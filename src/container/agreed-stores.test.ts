import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import { temporaryFolder } from '../../test/ports/support/temporary-folder.ts';
import { mailJobsCheckpoint } from '../processes/mail-jobs/mail-job-relay.ts';
import { publicEventsCheckpoint } from '../processes/public-events/relay.ts';
import { changeStores, demandSameStores, keepToStores, OtherStores, type StoreSettings } from './agreed-stores.ts';

/** As secret as the password in an address. */
const HIDDEN = 'hidden';
const EVENTSTORE_URL = { eventStoreUrl: `esdb://someone:${HIDDEN}@one:2113` };
const MONGODB_URL = { mongoUrl: `mongodb://someone:${HIDDEN}@one/surety` };
const KAFKA_BROKERS = { kafkaBrokers: ['one:9092'] };
const NONE = { eventStoreUrl: undefined, mongoUrl: undefined, kafkaBrokers: undefined, dataFolder: '/nowhere' };
const ALL = { ...NONE, ...EVENTSTORE_URL, ...MONGODB_URL, ...KAFKA_BROKERS };
const CHANGE = 'say so by surety setup --change-stores';

let records: MemoryRecords;
beforeEach(() => {
  records = new MemoryRecords();
});

async function sentenceFor(settings: StoreSettings): Promise<string> {
  const error: unknown = await demandSameStores(records, settings).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OtherStores)) throw new Error('It was not refused');
  expect(error.message).not.toContain(HIDDEN);
  return error.message;
}

describe('where the stores of an installation lie', () => {
  test('given nobody has said it, then any settings may begin, and then only those', async () => {
    for (const settings of [ALL, NONE, { ...ALL, kafkaBrokers: undefined }]) await demandSameStores(records, settings);
    await keepToStores(records, ALL);
    await keepToStores(records, ALL);
    await demandSameStores(records, ALL);
    await demandSameStores(records, { ...ALL, eventStoreUrl: 'esdb://another:2113', kafkaBrokers: ['two:9092'] });
    await expect(demandSameStores(records, { ...ALL, eventStoreUrl: undefined })).rejects.toThrow(OtherStores);
  });

  test.each([
    [
      { ...ALL, eventStoreUrl: undefined },
      'MONGODB_URL and KAFKA_BROKERS are set, EVENTSTORE_URL is not, but the installation whose records lie in MongoDB was set up with EVENTSTORE_URL: put that right',
    ],
    [
      { ...ALL, kafkaBrokers: undefined },
      'EVENTSTORE_URL and MONGODB_URL are set, KAFKA_BROKERS is not, but the installation whose records lie in MongoDB was set up with KAFKA_BROKERS: put that right',
    ],
    [
      NONE,
      'None of EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS is set, but the installation whose records lie in the data folder /nowhere was set up with EVENTSTORE_URL and KAFKA_BROKERS: put that right',
    ],
  ])('given servers, when some are forgotten, then they are named %#', async (settings, sentence) => {
    await keepToStores(records, ALL);
    const told = await sentenceFor(settings);
    expect(told).toContain(sentence);
    expect(told).toContain(CHANGE);
  });

  test.each([
    [
      { ...NONE, ...EVENTSTORE_URL, ...KAFKA_BROKERS },
      'MONGODB_URL is not, but the installation whose records lie in the data folder /nowhere was set up without EVENTSTORE_URL and KAFKA_BROKERS: set MONGODB_URL if the records are there; else put that right',
    ],
    [
      ALL,
      'are set, but the installation whose records lie in MongoDB was set up without EVENTSTORE_URL and KAFKA_BROKERS: put',
    ],
  ])(
    'given a folder, when servers are named for what lies in it, then they are named %#',
    async (settings, sentence) => {
      await keepToStores(records, NONE);
      expect(await sentenceFor(settings)).toContain(sentence);
    },
  );

  test('given one is missing and one is too many, then both are told', async () => {
    await keepToStores(records, { ...ALL, kafkaBrokers: undefined });
    expect(await sentenceFor({ ...ALL, eventStoreUrl: undefined })).toContain(
      'was set up with EVENTSTORE_URL and without KAFKA_BROKERS: ',
    );
  });

  test('given work without jobs, then the broker is not asked about', async () => {
    await keepToStores(records, ALL);
    await demandSameStores(records, { ...ALL, kafkaBrokers: undefined }, ['log']);
  });

  test('given they are changed on purpose, then the old ones are refused', async () => {
    await keepToStores(records, ALL);
    await changeStores(records, { ...ALL, kafkaBrokers: undefined });
    await demandSameStores(records, { ...ALL, kafkaBrokers: undefined });
    await expect(demandSameStores(records, ALL)).rejects.toThrow(OtherStores);
  });

  test('given several first starts at once with different settings, then those of one hold', async () => {
    const starts = [ALL, { ...ALL, kafkaBrokers: undefined }, { ...ALL, eventStoreUrl: undefined }];
    const ends = await Promise.allSettled(starts.map(async (settings) => await keepToStores(records, settings)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const [index, settings] of starts.entries()) {
      const isKept = ends[index]?.status === 'fulfilled';
      expect([
        index,
        await demandSameStores(records, settings).then(
          () => true,
          () => false,
        ),
      ]).toEqual([index, isKept]);
    }
  });
});

describe('an installation of a version that kept no mark', () => {
  let place: ReturnType<typeof temporaryFolder>;
  let all: StoreSettings;
  beforeEach(() => {
    place = temporaryFolder();
    all = { ...ALL, dataFolder: place.folder };
  });
  afterEach(() => place.remove());

  const hasBegun = async (): Promise<void> => {
    await mailJobsCheckpoint(records).save(undefined);
    await publicEventsCheckpoint(records).save(undefined);
  };
  const keepLogAndJobsHere = (): void => {
    for (const file of ['events.db', 'jobs.db']) writeFileSync(join(place.folder, file), '');
  };
  const expectServersOnly = async (): Promise<void> => {
    await demandSameStores(records, all);
    expect(await sentenceFor({ ...all, eventStoreUrl: undefined })).toContain('with EVENTSTORE_URL: ');
    expect(await sentenceFor({ ...all, kafkaBrokers: undefined })).toContain('with KAFKA_BROKERS: ');
  };

  test('given it has begun on servers, then a folder without a log is not its log, and no broker is not its broker', async () => {
    await hasBegun();
    await expectServersOnly();
  });

  test('given a folder with a log and jobs of its own beside records in MongoDB, then it goes on, also after a trial of a broker', async () => {
    await hasBegun();
    keepLogAndJobsHere();
    for (const settings of [{ ...NONE, ...MONGODB_URL }, NONE])
      await demandSameStores(records, { ...settings, dataFolder: place.folder });
  });

  test('given servers that were migrated to, then the folder that was left behind is none of them', async () => {
    await records.setValue('migration', 'done');
    keepLogAndJobsHere();
    await expectServersOnly();
  });
});

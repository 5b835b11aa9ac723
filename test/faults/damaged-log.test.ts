import { closeSync, cpSync, mkdirSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyEventLog } from '#service/compose/verify.ts';
import { storeLocations } from '#service/config/store-locations.ts';
import {
  type ProcessResult,
  cleanUp,
  runSurety,
  startService,
  SuretyProcess,
  temporaryFolder,
} from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const quietly = { LOG_LEVEL: 'fatal' };
const ADVICE =
  'Restore it from a backup (docs/runbook.md, A damaged log). Neither delete nor rebuild the read models before';

const OTHER_LOG =
  'The read models were built from another log: if the log was restored from a backup, delete them, and the projector rebuilds them; ' +
  'else it has lost its end: keep them (docs/runbook.md, A damaged log).';

let base: string;
let whole: string;
let backup: string;
/** Position of an event of a policy, far from the end of the log, and of the one before it in the stream. */
let position: number;
let before: number;
/** Position of an event that is the last of its stream, far from the end of the log, and of the newest event. */
let last: number;
let end: number;
let policy: string;
/** The policy as it is served. */
let served: unknown;

/** Creates a folder with the sample data, and a backup of it. */
beforeAll(async () => {
  base = temporaryFolder();
  [whole, backup] = [join(base, 'whole'), join(base, 'backup')];
  const { process, request } = await startService({ folder: whole, words: ['--sample'], settings: quietly });
  const policies = (await (await request('/api/v1/policies/?limit=100')).json()) as {
    results: { policy_id: string }[];
  };
  await process.stop();
  expect(await runSurety(['backup', backup], { folder: whole })).toMatchObject({ code: 0 });
  const [renewed] = query(
    whole,
    `SELECT b.position, a.position AS before, b.stream FROM events a JOIN events b ON a.stream = b.stream
     WHERE b.type = 'PolicyRenewed.v1' AND b.revision = a.revision + 1 ORDER BY b.position LIMIT 1`,
  );
  [position, before] = [Number(renewed?.['position']), Number(renewed?.['before'])];
  const [lastOfStream] = query(
    whole,
    "SELECT max(position) AS position FROM events WHERE stream LIKE 'policy-%' GROUP BY stream ORDER BY position LIMIT 1",
  );
  const [newest] = query(whole, 'SELECT max(position) AS position FROM events');
  [last, end] = [Number(lastOfStream?.['position']), Number(newest?.['position'])];
  policy = String(renewed?.['stream']).slice('policy-'.length);
  served = policies.results.find(({ policy_id }) => policy_id === policy);
});
afterAll(async () => await cleanUp(base, []));

function query(folder: string, sql: string): readonly Readonly<Record<string, unknown>>[] {
  const database = new DatabaseSync(join(folder, 'events.db'), { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

const execute = (folder: string, sql: string): void => {
  const database = new DatabaseSync(join(folder, 'events.db'));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
};

let copies = 0;
function copyOf(folder: string): string {
  const copy = join(base, `copy-${++copies}`);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Flips a bit of the file. */
function flip(file: string, offset: number, bit: number): void {
  const byte = readFileSync(file)[offset] ?? 0;
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.of(byte ^ (1 << bit)), 0, 1, offset);
  closeSync(handle);
}

/** Changes the year of the event into the next one in the page of its data. */
function flipYear(folder: string): void {
  const file = join(folder, 'events.db');
  const [row] = query(folder, `SELECT data FROM events WHERE position = ${position}`);
  const data = Buffer.from(String(row?.['data']).slice(0, 60));
  flip(file, readFileSync(file).indexOf(data) + data.indexOf('"effectiveAt":"20') + '"effectiveAt":"20'.length + 1, 0);
}

/** Puts events of the backup back by the statements of the runbook. */
function putBack(folder: string, positions: readonly number[]): void {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const [, statements = ''] =
    /^ *sqlite3 data\/events\.db <<'SQL'\n *\.bail on\n([\s\S]*?)\n *SQL$/m.exec(runbook) ?? [];
  expect(statements).toContain('(17, 18)');
  execute(folder, statements.replace('/path/to/backup', backup).replaceAll('(17, 18)', `(${positions.join(', ')})`));
}

interface Damage {
  readonly what: string;
  readonly damage: (folder: string) => void;
  /** What `surety verify` names. */
  readonly faults: () => readonly string[];
  /** Why `surety rebuild` fails. */
  readonly refused: () => string;
  /** Why the service does not start; undefined where it does. */
  readonly startRefused?: () => string;
  /** Whether single events can be put back. */
  readonly isInRows: boolean;
}

const wouldPark = (): string => `would be parked: policies ${policy} at position`;
const DAMAGES: readonly Damage[] = [
  {
    what: 'a flipped bit in the data of an event',
    damage: flipYear,
    faults: () => [`policy-${policy} revision 1): PolicyRenewed.v1 was altered in the store`],
    refused: wouldPark,
    isInRows: true,
  },
  {
    what: 'a deleted row',
    damage: (folder) => execute(folder, `DELETE FROM events WHERE position = ${position}`),
    faults: () => [`nothing is stored at position ${position}`],
    refused: () => `events.db is damaged: the event at position ${position} is missing`,
    startRefused: () => `events.db is damaged: the event at position ${position} is missing. ${ADVICE}`,
    isInRows: true,
  },
  {
    what: 'a log without its end',
    damage: (folder) => execute(folder, 'DELETE FROM events WHERE position > (SELECT max(position) - 2 FROM events)'),
    faults: () => ['the read models reflect the event'],
    refused: () => OTHER_LOG,
    startRefused: () => OTHER_LOG,
    isInRows: false,
  },
  {
    what: 'a file that was cut',
    damage: (folder) => truncateSync(join(folder, 'events.db'), statSync(join(folder, 'events.db')).size / 2),
    faults: () => ['events.db is damaged: database disk image is malformed'],
    refused: () => 'events.db is damaged: database disk image is malformed',
    startRefused: () => `events.db is damaged: database disk image is malformed. ${ADVICE}`,
    isInRows: false,
  },
];

/** Reads the policy from a service on the folder; returns undefined where it does not start, with its output. */
async function servePolicy(folder: string): Promise<{ readonly response: unknown; readonly ended: ProcessResult }> {
  const service = new SuretyProcess(['serve'], { folder, settings: quietly });
  const url = await waitUntil(() => /^Surety serves (\S+)/m.exec(service.stdout)?.[1] ?? !service.isRunning);
  const key = readFileSync(join(folder, 'admin.key'), 'utf8').trim();
  const read = async (): Promise<unknown> =>
    await (await fetch(`${String(url)}/api/v1/policies/${policy}/`, { headers: { 'x-api-key': key } })).json();
  const response = typeof url === 'string' ? await read() : undefined;
  return { response, ended: service.isRunning ? await service.stop() : await service.exited };
}

describe.each(DAMAGES)('$what', ({ damage, faults, refused, startRefused, isInRows }) => {
  let folder: string;
  beforeAll(() => {
    folder = copyOf(whole);
    damage(folder);
  });

  test('is named by surety verify with the advice to restore a backup', async () => {
    const { code, stdout, stderr } = await runSurety(['verify'], { folder: copyOf(folder), settings: quietly });
    expect(code).toBe(1);
    for (const fault of faults()) expect(stdout + stderr).toContain(fault);
    expect(stdout + stderr).toContain(ADVICE);
    expect(stdout).not.toContain('run surety rebuild');
  });

  test('is not served: documents of before are, or the start is refused', async () => {
    const { response, ended } = await servePolicy(copyOf(folder));
    if (startRefused === undefined) expect(response).toEqual(served);
    else expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(startRefused()) });
  });

  test('ends surety rebuild without a change of the documents', async () => {
    const copy = copyOf(folder);
    const { code, stdout, stderr } = await runSurety(['rebuild'], { folder: copy, settings: quietly });
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(refused());
    if (startRefused === undefined) expect((await servePolicy(copy)).response).toEqual(served);
  });

  if (isInRows)
    test('is repaired by the events of a backup', async () => {
      putBack(folder, [before, position, last, end]);
      expect(await runSurety(['verify'], { folder, settings: quietly })).toMatchObject({ code: 0 });
    });
});

test('surety migrate refuses a damaged log before it reaches the servers', async () => {
  const folder = copyOf(whole);
  flipYear(folder);
  const settings = {
    EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
    MONGODB_URL: 'mongodb://127.0.0.1:1/surety',
    KAFKA_BROKERS: '127.0.0.1:1',
  };
  const { code, stderr } = await runSurety(['migrate'], { folder, settings });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`${folder} has faults, which surety verify names. ${ADVICE}`),
  ]);
});

test('surety verify --url names a fault that arises while the service runs', async () => {
  const folder = copyOf(whole);
  const { process, url } = await startService({ folder, settings: quietly });
  execute(folder, `UPDATE events SET data = data || ' ' WHERE position = ${position}`);
  const { code, stdout } = await runSurety(['verify', '--url', url], { folder });
  await process.stop();
  expect([code, stdout]).toEqual([1, expect.stringContaining('PolicyRenewed.v1 was altered in the store')]);
  expect(stdout).toContain(ADVICE);
});

test('no bit of the log flips unnoticed', async () => {
  const folder = join(base, 'flipped');
  mkdirSync(folder);
  const rowsOf = (of: string): string => JSON.stringify(query(of, 'SELECT * FROM events ORDER BY position'));
  const original = rowsOf(whole);
  const { size } = statSync(join(whole, 'events.db'));
  let noticed = 0;
  // Multiplication by a prime spreads the bits over the file.
  for (let number = 1; number <= 100; number += 1) {
    for (const name of ['events.db', 'records.db']) cpSync(join(whole, name), join(folder, name));
    flip(join(folder, 'events.db'), (number * 7_368_787) % size, number % 8);
    const { faults } = await verifyEventLog(storeLocations({ dataFolder: folder, servers: undefined }));
    if (faults > 0) noticed += 1;
    else expect(rowsOf(folder)).toBe(original);
  }
  expect(noticed).toBeGreaterThan(50);
});

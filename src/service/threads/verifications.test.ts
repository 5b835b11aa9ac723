import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { QueryContext } from '#queries/query.ts';
import {
  earlierName,
  listVerifications,
  storedVerification,
  type Verification,
  VERIFICATION,
} from '#queries/verifications.ts';
import { openSqliteStores, type SqliteStores } from '#test/support/sqlite-stores.ts';
import { appendSamples, customerRegistered, policyImported } from '#test/support/sample-events.ts';
import { startTestProjector, waitForPosition } from '#test/support/test-projector.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type { Projector } from '#read-side/projector.ts';
import { Verifications, type VerificationsOptions } from './verifications.ts';

let stores: SqliteStores;
let projector: Projector;
let now: string;

beforeEach(async () => {
  now = '2026-03-10T09:30:00.000Z';
  stores = openSqliteStores();
  projector = await startTestProjector(stores);
});

afterEach(async () => {
  await projector.stop();
  await stores.remove();
});

function verificationsOf(options: Partial<VerificationsOptions> = {}): Verifications {
  const log = { warn: () => {} };
  return new Verifications({
    ...stores,
    now: () => now,
    randomId: randomUUID,
    log,
    ...options,
  });
}

async function newest(): Promise<Verification> {
  return storedVerification((await stores.records.getValue(VERIFICATION)) ?? '', now).verification;
}

async function ended(): Promise<Verification> {
  return await waitUntil(async () => {
    const verification = await newest();
    return verification.state !== 'running' && verification;
  });
}

/** Changes the log behind the store. */
function damage(sql: string): void {
  const { log } = stores.locations;
  const database = new DatabaseSync('file' in log ? log.file : '', { timeout: 5_000 });
  database.exec(sql);
  database.close();
}

/** Appends a policy, and waits until the read models reflect it. */
async function addPolicy(number: number): Promise<Position> {
  const position = await appendSamples(stores.eventStore, policyImported(1, number));
  await waitForPosition(projector, position);
  return position;
}

describe('a verification', () => {
  test('compares documents that have changed since with their newest event, while the service writes', async () => {
    await appendSamples(stores.eventStore, customerRegistered(1));
    const reached = await addPolicy(1);
    await addPolicy(2);
    await verificationsOf().start();
    for (let number = 3; (await newest()).state === 'running'; number += 1) await addPolicy(number);
    const { state, report } = await newest();
    expect(state).toBe('completed');
    expect(report).toMatchObject({ log: { faults: 0 }, read_models: { differences: [] } });
    expect(Number(report?.read_models?.up_to)).toBeGreaterThanOrEqual(Number(reached));
  });

  test('compares nothing with a log of which an event was altered, or of which the end is missing', async () => {
    const position = await addPolicy(1);
    const [event] = await stores.eventStore.readAll({ after: undefined, limit: 1 });
    const verifications = verificationsOf();
    damage("UPDATE events SET data = replace(data, '100.00', '900.00')");
    const { verification_id } = await verifications.start();
    const altered = { what: 'unreadable', reason: 'PolicyImported.v1 was altered in the store', event_id: event?.id };
    expect(await ended()).toMatchObject({
      verification_id,
      report: { log: { events: 1, faults: 1, first_faults: [altered] }, read_models: null },
    });
    damage('DELETE FROM events');
    await verifications.start();
    const lost = { what: 'missing', position: String(position), reason: expect.stringContaining(`${event?.id}`) };
    expect((await ended()).report).toMatchObject({ log: { events: 0, faults: 1, first_faults: [lost] } });
  });

  test('fails when the service stops', async () => {
    const verifications = verificationsOf();
    await verifications.start();
    await verifications.stop();
    expect(await newest()).toMatchObject({ state: 'failed', reason: 'The service stops', ended_at: now, report: null });
  });

  test('fails with stores that cannot be read', async () => {
    const documents = { folder: '/nowhere', recordsFile: '/nowhere/records.db' };
    const locations = { log: { file: '/nowhere/events.db' }, documents };
    await verificationsOf({ locations }).start();
    expect(await ended()).toMatchObject({ state: 'failed', reason: expect.stringContaining('/nowhere/events.db') });
  });

  test('moves to the earlier ones when the next one starts, of which 20 are listed, newest first, without reports', async () => {
    await addPolicy(1);
    const ids = Array.from({ length: 20 }, (_, number) => `earlier ${number}`);
    await verificationsOf().start();
    const verification = { ...(await ended()), verification_id: 'newest' };
    for (const [number, id] of ids.entries()) {
      const earlier = { number, verification: { ...verification, verification_id: id } };
      await stores.records.setValue(earlierName(earlier), JSON.stringify(earlier));
    }
    await stores.records.setValue(VERIFICATION, JSON.stringify({ number: 20, verification }));
    const { verification_id } = await verificationsOf().start();
    await ended();
    const context = { ...stores, now } as unknown as QueryContext;
    const response = await listVerifications.respond({ path: {}, search: {} }, context);
    const { results } = JSON.parse((response as { readonly body: string }).body);
    const listed = results.map((one: Verification) => one.verification_id);
    expect(listed).toEqual([verification_id, 'newest', ...ids.slice(2).toReversed()]);
    expect(results[1]).toMatchObject({ state: 'completed', findings: 0 });
    expect(results[1]).not.toHaveProperty('report');
  });

  test('is refused while one runs, also in another process, until that one was silent for a minute', async () => {
    await addPolicy(1);
    const { verification_id } = await verificationsOf().start();
    const refused = { code: 'verification_running', members: { verification_id } };
    await expect(verificationsOf().start()).rejects.toMatchObject(refused);
    const running = { ...(await ended()), state: 'running', ended_at: null };
    await stores.records.setValue(VERIFICATION, JSON.stringify({ number: 0, verification: running }));
    now = '2026-03-10T09:31:00.000Z';
    await expect(verificationsOf().start()).rejects.toMatchObject(refused);
    now = '2026-03-10T09:31:00.001Z';
    expect(await newest()).toMatchObject({
      state: 'failed',
      reason: 'The process that executed it ended before the result',
    });
    await verificationsOf().start();
    expect((await ended()).state).toBe('completed');
  });
});

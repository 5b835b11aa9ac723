import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUp, type Service, startService, temporaryFolder } from '../../support/service-process.ts';
import { waitUntil, waitUntilIgnoringErrors } from '../../support/wait-until.ts';
import { type NodeFailure, StandInCluster } from '../eventstoredb/support/stand-in-cluster.ts';
import { expectOnce } from '../support/expect-nothing-lost.ts';
import { Load } from '../support/load.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from '../support/mongodb.ts';

/** The client sends a ping every 10 s: each failure of the leader comes at another offset between two of them. */
const PING_INTERVAL_MS = 10_000;
const FAILURES = Number(process.env['SURETY_LEADER_FAILURES'] ?? 2);
/** Limit from the failure to readiness. The cluster has another leader after 8 s. */
const READY_WITHIN_MS = 15_000;

describeOnMongodb('A service on a cluster of three stand-ins for EventStoreDB', (mongodb) => {
  const base = temporaryFolder();
  const logFolder = temporaryFolder();
  let cluster: StandInCluster;
  let database: TestDatabase;
  let service: Service;
  let load: Load;
  beforeAll(async () => {
    cluster = await StandInCluster.start(logFolder);
    database = testDatabase(mongodb);
    // The load needs no Kafka, so none answers.
    const servers = { EVENTSTORE_URL: cluster.url, MONGODB_URL: database.url, KAFKA_BROKERS: '127.0.0.1:1' };
    const settings = { LOG_LEVEL: 'error', ...servers };
    service = await startService({ folder: join(base, 'data'), settings });
    load = await Load.create(service);
  });
  afterAll(async () => {
    await Promise.allSettled([service.process.kill(), database.drop(), cluster.dispose()]);
    for (const folder of [base, logFolder]) await cleanUp(folder, []);
  });

  test(
    `is ready within 15 s after its leader fails (${FAILURES} times), and nothing is lost or duplicated`,
    async () => {
      load.start();
      for (let n = 0; n < FAILURES; n += 1) {
        const offset = (n * PING_INTERVAL_MS) / FAILURES;
        const how: NodeFailure = n % 2 === 0 ? 'frozen' : 'gone';
        await load.waitForClaims(3);
        await pause(offset);
        const readyAfterMs = await failLeader(how);
        process.stdout.write(`${how} at ${offset / 1000} s: ready after ${(readyAfterMs / 1000).toFixed(1)} s\n`);
        cluster.recover();
      }
      await load.end();
      expectOnce(cluster.log.all, load.acknowledged);
    },
    (FAILURES + 1) * 60_000,
  );

  /** Fails the leader and waits until the service is ready and acknowledges a claim. @returns the time until then */
  async function failLeader(how: NodeFailure): Promise<number> {
    const failedAt = performance.now();
    cluster.failLeader(how);
    await waitUntil(async () => (await readiness()) === 503);
    const stderr = (): string => service.process.stderr.slice(-2_000);
    await waitUntilIgnoringErrors(async () => (await readiness()) === 200, stderr, 60_000);
    const readyAfterMs = performance.now() - failedAt;
    await load.waitForClaims(1);
    expect(readyAfterMs).toBeLessThan(READY_WITHIN_MS);
    return readyAfterMs;
  }

  async function readiness(): Promise<number> {
    return (await service.request('/readyz', { signal: AbortSignal.timeout(5_000) })).status;
  }
});

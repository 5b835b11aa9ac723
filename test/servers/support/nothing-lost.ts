import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { PROJECTIONS } from '../../../projections/registry.ts';
import type { StoredEvent } from '../../../src/event-store/event-store.ts';
import { messageOf } from '../../../src/processes/public-events/translate.ts';
import { collectionsOf } from '../../../src/projector/start-projector.ts';
import { readReached } from '../../../src/projector/reached.ts';
import { verifyReadModels } from '../../../src/projector/verify.ts';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import type { Installation } from './installation.ts';
import type { Acknowledged } from './load.ts';
import { firstOccurrences, readTopic } from './topic.ts';

const TOPICS = ['surety.policies.v1', 'surety.claims.v1'];

/**
 * Once nobody writes: waits until every process is ready again and has caught up, and checks that what was acknowledged is in
 * the log, once, that the read models are those of a fresh fold, and that the topics tell all of it, in order per key.
 */
export async function expectNothingLost(installation: Installation, acknowledged: Acknowledged): Promise<void> {
  for (const name of installation.processes.keys()) {
    while ((await installation.readiness(name)).status !== 'ready') await pause(100);
  }
  const eventStore = installation.eventStore.open();
  const readModels = openMongoReadModels({ url: installation.addresses().MONGODB_URL });
  try {
    await readModels.open(collectionsOf(PROJECTIONS));
    const log = await eventStore.readAll({ after: undefined, limit: 1_000_000 });
    expectOnce(log, acknowledged);
    const head = log.at(-1)?.position ?? 0n;
    while (((await readReached(readModels)) ?? 0n) < head) await pause(50);
    const reached = await readReached(readModels);
    const found = await verifyReadModels({ eventStore, readModels, projections: PROJECTIONS, reached });
    expect(found).toMatchObject({ differences: [], movedOn: 0 });
    expect(found.compared).toBeGreaterThanOrEqual(acknowledged.policies.length + acknowledged.claims.length);
    await expectTold(installation, log);
  } finally {
    await readModels.close();
    await eventStore.close();
  }
}

function expectOnce(log: readonly StoredEvent[], { policies, claims }: Acknowledged): void {
  const streamsOf = (type: string): string[] => log.filter((event) => event.type === type).map(({ stream }) => stream);
  expect(streamsOf('PolicyImported.v1').toSorted()).toEqual(policies.map((id) => `policy-${id}`).toSorted());
  expect(streamsOf('ClaimSubmitted.v1').toSorted()).toEqual(claims.map((id) => `claim-${id}`).toSorted());
}

/** What is told later than its event is waited for. */
async function expectTold(installation: Installation, log: readonly StoredEvent[]): Promise<void> {
  const relay = await installation.leaderOf('relay');
  while ((await installation.metric(relay, 'surety_public_events_lag')) !== 0) await pause(50);
  const messages = log.flatMap((event) => messageOf(event) ?? []);
  for (const topic of TOPICS) {
    const expected = firstOccurrences(messages.filter((message) => message.topic === topic));
    expect(expected.size).toBeGreaterThan(0);
    expect(firstOccurrences(await readTopic(installation.kafka.options, topic))).toEqual(expected);
  }
}

/**
 * Appends events to an embedded log and relays them until it is killed; with `drain` it appends nothing and exits when all
 * events are published: `node relay-process.ts FOLDER BROKERS load|drain`.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { openSqliteEventStore } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { openKafkaPublicEvents } from '../../../src/messaging/kafka/kafka-public-events.ts';
import { publicEventsCheckpoint, startPublicEventRelay } from '../../../src/processes/public-events/relay.ts';
import { openSqliteRecords } from '../../../src/records/sqlite/sqlite-records.ts';
import { appendSamples, policyActivated, policyImported } from '../../support/sample-events.ts';
import { waitUntil } from '../../support/wait-until.ts';

const [folder = '', brokers = '', mode = 'load'] = process.argv.slice(2);
const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
const records = openSqliteRecords({ file: join(folder, 'records.db') });
const checkpoint = publicEventsCheckpoint(records);
if (!(await checkpoint.isInitialised())) await checkpoint.save(undefined);

let published: bigint | undefined;
const relay = startPublicEventRelay({
  eventStore,
  checkpoint,
  publicEvents: openKafkaPublicEvents({ brokers: brokers.split(',') }),
  relayMetrics: {
    recordProgress: (position) => {
      published = position;
    },
  },
  log: pino({ level: 'silent' }),
  now: () => new Date().toISOString(),
  pause: async (milliseconds, signal) => {
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  },
});

if (mode === 'drain') {
  const end = await eventStore.lastPosition();
  await waitUntil(() => published === end);
  await relay.stop();
  process.exit(0);
}
process.stdout.write('working\n');
// Ten policies at a time with several events each, so that batches mix keys.
for (;;) {
  const policies = Array.from({ length: 10 }, () => Math.floor(Number(`0x${randomUUID().slice(0, 8)}`)));
  await appendSamples(eventStore, ...policies.map((policy) => policyImported(1, policy)));
  for (let row = 0; row < 3; row++) {
    await appendSamples(eventStore, ...policies.map((policy) => policyActivated(1, policy)));
  }
}

/**
 * Appends events to an embedded log and relays them, until it is killed; with `drain` it appends nothing and ends when all is
 * acknowledged. Run by `node relay-process.ts FOLDER BROKERS load|drain`: no build, no test runner.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { openSqliteEventStore } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { openKafkaPublicEvents } from '../../../src/messaging/kafka/kafka-public-events.ts';
import { publicEventsCheckpoint, startPublicEventRelay } from '../../../src/processes/public-events/relay.ts';
import { openSqliteRecords } from '../../../src/records/sqlite/sqlite-records.ts';
import { happen, policyActivated, policyImported } from '../../support/happenings.ts';
import { until } from '../../support/until.ts';

const [folder = '', brokers = '', what = 'load'] = process.argv.slice(2);
const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
const records = openSqliteRecords({ file: join(folder, 'records.db') });
const checkpoint = publicEventsCheckpoint(records);
if (!(await checkpoint.isInitialised())) await checkpoint.save(undefined);

let acknowledged: bigint | undefined;
const relay = startPublicEventRelay({
  eventStore,
  checkpoint,
  publicEvents: openKafkaPublicEvents({ brokers: brokers.split(',') }),
  relayMetrics: {
    recordProgress: (position) => {
      acknowledged = position;
    },
  },
  log: pino({ level: 'silent' }),
  now: () => new Date().toISOString(),
  pause: async (milliseconds, signal) => {
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  },
});

if (what === 'drain') {
  const end = await eventStore.lastPosition();
  const acknowledgedAll = (): boolean => acknowledged === end;
  await until(() => acknowledgedAll());
  await relay.stop();
  process.exit(0);
}
process.stdout.write('working\n');
// Ten policies at a time, each with a row of events, so that the batches mix keys.
for (;;) {
  const policies = Array.from({ length: 10 }, () => Math.floor(Number(`0x${randomUUID().slice(0, 8)}`)));
  await happen(eventStore, ...policies.map((policy) => policyImported(1, policy)));
  for (let row = 0; row < 3; row++) {
    await happen(eventStore, ...policies.map((policy) => policyActivated(1, policy)));
  }
}

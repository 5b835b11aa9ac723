/**
 * Measures how long the scheduler stalls requests while much is due at once:
 * `node test/bench/due.ts [policies] [mails]` (default 100000 and 100000) after a build, on the embedded stores in a
 * temporary folder. Half of the policies are to be activated, half to be renewed. Run by hand; no test depends on the
 * times.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { PROJECTIONS } from '#projections/registry.ts';
import { definitionsOf } from '#read-side/start-projector.ts';
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { addDays } from '#domain/values/dates.ts';
import { freePort } from '../support/free-port.ts';
import { policyPurchased, type SampleEvent, sampleId, term, toEventToAppend } from '../support/sample-events.ts';
import { startTestProjector } from '../support/test-projector.ts';
import { startService } from './service.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

const [POLICIES = 100_000, MAILS = 100_000] = process.argv.slice(2).map(Number);
const NOW = new Date().toISOString();
const TODAY = NOW.slice(0, 10);
const YESTERDAY = `${addDays(TODAY, -1)}T10:00:00.000Z`;
const APPENDS_IN_FLIGHT = 500;

const duePolicy = (number: number): SampleEvent =>
  number % 2 === 0
    ? policyPurchased(number, number, term(TODAY, addDays(TODAY, 364)), { status: 'accepted' })
    : policyPurchased(number, number, term(addDays(TODAY, -365), addDays(TODAY, -1)), { autoRenew: true });

/** A mail whose attempt has no result, so that the scheduler parks it. */
function dueMail(number: number): readonly SampleEvent[] {
  const [jobId, tenantId] = [sampleId('job', number), sampleId('tenant', number)];
  const stream = `mailJob-${jobId}`;
  const job = { jobId, kind: 'onboarding', tenantId, serial: 1 };
  return [
    { stream, type: 'MailRequested', data: { ...job, reason: 'event' }, tags: {} },
    { stream, type: 'MailAttempted', data: { ...job, attempt: 1 }, tags: {} },
  ];
}

async function fill(data: string): Promise<void> {
  const eventStore = openSqliteEventStore({ file: join(data, 'events.db') });
  const readModels = openSqliteReadModels({ folder: data, definitions: definitionsOf(PROJECTIONS) });
  const append = async ([first, ...rest]: readonly SampleEvent[]): Promise<void> => {
    if (first === undefined) return;
    const events = [first, ...rest].map((sample, revision) => toEventToAppend(sample, revision, YESTERDAY));
    await appendTo(eventStore, first.stream, 'no_stream', events);
  };
  for (let from = 0; from < Math.max(POLICIES, MAILS); from += APPENDS_IN_FLIGHT) {
    const numbers = Array.from({ length: APPENDS_IN_FLIGHT }, (_, index) => from + index);
    await Promise.all([
      ...numbers.filter((number) => number < POLICIES).map((number) => append([duePolicy(number)])),
      ...numbers.filter((number) => number < MAILS).map((number) => append(dueMail(number))),
    ]);
  }
  const projector = await startTestProjector({ eventStore, readModels });
  const end = (await eventStore.lastPosition()) ?? 0n;
  while (!(await projector.waitFor(end, 10_000)));
  await projector.stop();
  await readModels.close();
  await eventStore.close();
}

/** Returns the sum of the metrics with this name. */
async function metric(url: string, name: string): Promise<number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n').filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const data = mkdtempSync(join(tmpdir(), 'surety-due-'));
try {
  // Creates the checkpoints, which a log with events would need by `--from`.
  await (await startService(data, await freePort(), { LOG_LEVEL: 'fatal' })).stop();
  await fill(data);
  const file = join(data, 'delays.txt');
  writeFileSync(file, '');
  const delays = {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, '../support/loop-delay.mjs')}`,
    LOOP_DELAY_FILE: file,
  };
  const service = await startService(data, await freePort(), { LOG_LEVEL: 'fatal', ...delays });
  const start = Date.now();
  const done = async (): Promise<boolean> =>
    (await metric(service.url, 'surety_scheduler_actions_total')) >= POLICIES &&
    (await metric(service.url, 'surety_mail_reviews_total')) >= MAILS;
  while (!(await done())) await pause(2_000);
  const end = Date.now();
  const intervals = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .filter(([at = 0]) => at > start && at <= end);
  await service.stop();
  const describe = (what: string, column: number): string => {
    const longest = intervals.map((interval) => interval[column] ?? 0).toSorted((a, b) => b - a);
    const [most, median] = [longest[0], longest[Math.floor(longest.length / 2)]].map((delay) => delay?.toFixed(0));
    const long = longest.filter((delay) => delay > 50).length;
    return `${what}: longest ${most} ms, over 50 ms in ${long} of ${longest.length} intervals of 100 ms, median of the longest ${median} ms\n`;
  };
  const seconds = Math.ceil((end - start) / 1_000);
  process.stdout.write(
    `${POLICIES} policies and ${MAILS} mails due: done in ${seconds} s\n` +
      describe('delay of the event loop', 1) +
      describe('processor time of a turn of the loop', 2),
  );
} finally {
  rmSync(data, { recursive: true, force: true });
}

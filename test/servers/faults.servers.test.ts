import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Installation, type RoleProcess } from './support/installation.ts';
import { Load } from './support/load.ts';
import { canStartMongodb } from './support/mongodb-process.ts';
import { expectNothingLost } from './support/nothing-lost.ts';
import { EVENTSTORE_UNDER_TEST, NAMED_EVENTSTORE } from './support/named-eventstore.ts';
import { canBeProxied, ownLog, standIn } from './support/own-log.ts';

const MINUTE = 60_000;

/** Servers that may be killed are the suite's own; the variables say that servers are tested at all. */
const missing = ['MONGODB_URL', 'KAFKA_BROKERS'].filter((name) => !process.env[name]);
const whyNot =
  missing.length > 0 ? `${missing.join(' and ')} not set` : canStartMongodb ? undefined : 'no ../shared/servers';
const isNamed = NAMED_EVENTSTORE !== undefined && canBeProxied(NAMED_EVENTSTORE);
const log = isNamed
  ? EVENTSTORE_UNDER_TEST
  : `a stand-in for EventStoreDB${NAMED_EVENTSTORE === undefined ? '' : ', since no proxy can stand before the server that EVENTSTORE_URL names'}`;
const suite = `Roles apart on servers that fail, with ${log}`;
/** What is lost for 10 s, and who is not ready then. */
type Loss = readonly [what: string, away: () => unknown, back: () => unknown, whoNeedsIt: readonly string[]];

const describeFaults = whyNot === undefined ? describe : describe.skip;

describeFaults(whyNot === undefined ? suite : `${suite} (skipped: ${whyNot})`, () => {
  let on: Installation;
  let load: Load;
  beforeAll(async () => {
    on = await Installation.start(isNamed ? ownLog : standIn);
    await Promise.all([
      on.run('api', 'api'),
      on.run('projector 1', 'projector'),
      on.run('projector 2', 'projector'),
      on.run('relay 1', 'relay'),
      on.run('relay 2', 'relay'),
      on.run('scheduler', 'scheduler'),
    ]);
    load = await Load.on(on.process('api').service);
  }, 2 * MINUTE);
  afterAll(async () => await on.dispose());

  afterEach(async () => {
    await load.end();
    await expectNothingLost(on, load.acknowledged);
  }, 2 * MINUTE);

  const allButKafka = ['api', 'projector 1', 'relay 1', 'scheduler'];
  const eventLogKilled: Loss = [
    'the event log is killed',
    () => on.eventStore.server?.kill(),
    () => on.eventStore.server?.start(),
    allButKafka,
  ];
  const others: readonly Loss[] = [
    ['the event log cannot be reached', () => on.closeWaysToEventStore(), () => on.openWaysToEventStore(), allButKafka],
    ['MongoDB is killed', () => on.mongodb.kill(), () => on.mongodb.start(), allButKafka],
    ['Kafka is killed', () => on.kafka.kill(), () => on.kafka.start(), ['relay 1', 'relay 2']],
  ];
  const testIfOwn = isNamed ? test.skip : test;
  const andSkipped = isNamed ? ' (skipped: EVENTSTORE_URL names it, and others may use it)' : '';
  const title = 'given %s for 10 s, under load, then who needs it says so, and all comes back by itself';
  testIfOwn.each([eventLogKilled])(title + andSkipped, tenSecondsWithout, 2 * MINUTE);
  test.each(others)(title, tenSecondsWithout, 2 * MINUTE);

  async function tenSecondsWithout(...[what, away, back, whoNeedsIt]: Loss): Promise<void> {
    load.begin();
    await load.until(20);
    const before = await failed(on);
    await away();
    await pause(8_000);
    const told = await Promise.all(whoNeedsIt.map(async (name) => [name, await on.readiness(name)] as const));
    const figures = { failed: await failed(on), lag: await lag(on) };
    await pause(2_000);
    await back();
    await load.until(20);
    expect(told.filter(([, { status }]) => status !== 'not_ready')).toEqual([]);
    if (what === 'Kafka is killed') expect(figures.lag).toBeGreaterThan(0);
    else expect(figures.failed).toBeGreaterThan(before);
  }

  test(
    'given connections are cut in the middle of answers again and again, then nobody has to do anything',
    async () => {
      load.begin();
      await load.until(10);
      const proxies = all(on).flatMap(({ eventStore, mongodb }) => [eventStore, mongodb]);
      for (let round = 0; round < 12; round += 1) {
        for (const proxy of proxies) proxy.cutAnswers(2);
        await load.until(3);
      }
      for (const proxy of proxies) proxy.cutAnswers(0);
    },
    2 * MINUTE,
  );

  test(
    'given every answer of the event log and of MongoDB comes late, then requests last longer, and are done',
    async () => {
      const proxies = all(on).flatMap(({ eventStore, mongodb }) => [eventStore, mongodb]);
      for (const proxy of proxies) proxy.delay = 50;
      try {
        load.begin();
        await load.until(10);
        const slow = await on.metric('api', 'surety_http_request_duration_seconds_sum');
        await load.until(10);
        expect(await on.metric('api', 'surety_http_request_duration_seconds_sum')).toBeGreaterThan(slow + 3);
      } finally {
        for (const proxy of proxies) proxy.delay = 0;
      }
    },
    2 * MINUTE,
  );

  test.each([
    ['projector', 'documents', /update[^]{0,9}read_model_checkpoints[^]*claims/],
    ['relay', 'messages', /(update|findAndModify)[^]{0,13}named_values[^]*public-events/],
  ] as const)(
    'given the leading %s is killed between its %s and its checkpoint, then another one goes on from the one before',
    async (role, _what, checkpoint) => {
      const leader = await on.leaderOf(role);
      load.begin();
      await load.until(10);
      await on.process(leader).mongodb.trap(checkpoint);
      await on.kill(leader);
      const next = await on.leaderOf(role);
      expect(next).not.toBe(leader);
      await load.until(10);
      await on.run(leader, role);
    },
    2 * MINUTE,
  );

  test.each(['projector', 'relay'])(
    'given the leading %s is frozen until another has taken over, when it wakes up, then it writes nothing more',
    async (role) => {
      const leader = await on.leaderOf(role);
      const { process: frozen } = on.process(leader).service;
      load.begin();
      await load.until(10);
      const asleep = on.process(leader);
      on.processes.delete(leader);
      frozen.child.kill('SIGSTOP');
      const next = await on.leaderOf(role);
      await load.until(10);
      frozen.child.kill('SIGCONT');
      on.processes.set(leader, asleep);
      await load.until(10);
      while ((await on.metric(leader, 'surety_leading', `"${role}"`)) !== 0) await pause(100);
      expect(await on.leaderOf(role)).toBe(next);
    },
    2 * MINUTE,
  );
});

function all(on: Installation): readonly RoleProcess[] {
  return [...on.processes.values()];
}

/** Requests that the api had to refuse because a server was away. */
async function failed(on: Installation): Promise<number> {
  return await on.metric('api', 'surety_http_request_duration_seconds_count', 'status="503"');
}

/** How far the public events are behind the log. */
async function lag(on: Installation): Promise<number> {
  return Math.max(
    await on.metric('relay 1', 'surety_public_events_lag'),
    await on.metric('relay 2', 'surety_public_events_lag'),
  );
}

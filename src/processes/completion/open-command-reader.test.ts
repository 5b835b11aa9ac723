import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { registerProvider } from '#commands/provider/register-provider.ts';
import { PROVIDER_INPUT } from '#test/support/admin-fixtures.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import { crashAfterAppends } from '#test/support/crash-after-appends.ts';
import { givenMerchants, importPolicy } from '#test/support/imports.ts';
import { type SchedulerHarness, startSchedulerHarness } from '#test/support/scheduler-harness.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { Completion } from './completion.ts';
import { advanceCheckpoint } from './open-command-reader.ts';

describe('Given an import of some hundred policies and an advanced checkpoint', () => {
  let h: CommandHarness;
  let scheduler: SchedulerHarness;
  /** Positions after which the log was read. */
  let starts: unknown[];
  beforeEach(async () => {
    h = new CommandHarness();
    scheduler = await startSchedulerHarness(h);
    await givenMerchants(h);
    for (let row = 0; row < 300; row++) {
      const customer_email = `holder${row % 50}@customers.example`;
      await importPolicy(h, { policy_number: `POL-${row}`, customer_email });
    }
    starts = [];
  });

  afterEach(async () => await scheduler.stopProjector());

  const readAfterwards = async (): Promise<void> => {
    const readAll: EventStore['readAll'] = async (options) => {
      starts.push(options.after);
      return await h.eventStore.readAll(options);
    };
    const eventStore = new Proxy<EventStore>(h.eventStore, {
      get: (store, name: keyof EventStore) => (name === 'readAll' ? readAll : store[name]?.bind(store)),
    });
    await new Completion(scheduler.parts({ commandPorts: { ...h.ports, eventStore } })).run();
  };

  test('the first start reads the log after the end of the import', async () => {
    await advanceCheckpoint(scheduler.parts());
    await readAfterwards();
    expect(starts).toEqual([await h.eventStore.lastPosition()]);
    expect(starts[0]).toBeGreaterThan(600n);
  });

  test('the first start reads the log after the position before the oldest open command, and finishes it', async () => {
    const end = await h.eventStore.lastPosition();
    await crashAfterAppends(h, 1, async () => await h.run(registerProvider, PROVIDER_INPUT));
    await importPolicy(h, { policy_number: 'POL-LAST' });
    await advanceCheckpoint(scheduler.parts());
    await advanceCheckpoint(scheduler.parts());
    h.now = '2026-03-01T10:00:30.000Z';
    await readAfterwards();
    expect(starts[0]).toBe(end);
    const [registered] = (await h.log()).filter(({ type }) => type === 'ProviderRegistered').slice(-1);
    expect(registered?.data).toMatchObject({ name: PROVIDER_INPUT.name });
  });
});

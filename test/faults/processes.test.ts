import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { purchasePolicy } from '#commands/policy/purchase-policy.ts';
import { registerProvider } from '#commands/provider/register-provider.ts';
import { addDays } from '#domain/values/dates.ts';
import { dayOf } from '#event-sourcing/time.ts';
import { appendTo, type StoredEvent } from '#stores/event-log/event-log.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { FILES } from '#service/config/data-folder.ts';
import { PROVIDER_INPUT } from '../support/admin-fixtures.ts';
import { givenMerchants, importRow } from '../support/imports.ts';
import { CommandHarness, LIVE } from '../support/command-harness.ts';
import { crashAfterAppends } from '../support/crash-after-appends.ts';
import { givenQuote } from '../support/quotes.ts';
import { runSurety, type Service } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWorkspace } from '../support/workspace.ts';

const place = useWorkspace();

/** Writes the log of a harness to the data folder, as a service that stopped that day leaves it. */
async function saveLog(h: CommandHarness): Promise<void> {
  expect(await runSurety(['setup'], { folder: place.folder })).toMatchObject({ code: 0 });
  const store = openSqliteEventStore({ file: join(place.folder, FILES.eventLog) });
  for (const { stream, revision, ...event } of await h.eventStore.readAll({ after: undefined, limit: 1_000 })) {
    await appendTo(store, stream, revision === 0 ? 'no_stream' : revision - 1, [event]);
  }
  await store.close();
}

async function readSavedLog(): Promise<readonly StoredEvent[]> {
  const store = openSqliteEventStore({ file: join(place.folder, FILES.eventLog) });
  const log = await store.readAll({ after: undefined, limit: 10_000 });
  await store.close();
  return log;
}

test('after years without a run, the service waits until the clock is accepted, and a start after a kill during catch-up once after a kill', async () => {
  const h = new CommandHarness();
  h.now = '2020-01-01T12:00:00.000Z';
  await givenMerchants(h);
  const { quote_code } = await givenQuote(h.eventStore, LIVE, {}, { expiresAt: '2020-02-01T00:00:00.000Z' });
  const purchase = { quote_code, effective_from: '2020-01-10', policy_duration: 10, auto_renew: true };
  const policyId = String((await h.run(purchasePolicy, purchase)).result.policy_id);
  const later = { policy_number: 'POL-LATER', term_from: '2020-03-01', term_through: '2020-12-31' };
  const laterId = String((await importRow(h, later)).result.policy_id);
  await crashAfterAppends(h, 1, async () => await h.run(registerProvider, PROVIDER_INPUT));
  await saveLog(h);

  const view = async ({ request }: Service, path: string) => await (await request(`/api/v1/${path}`)).json();
  const providersOf = async (service: Service) =>
    (await view(service, `providers/search/?name=${PROVIDER_INPUT.name}`)) as { count: number };
  const isPaused = async ({ request }: Service) =>
    (await (await request('/metrics')).text()).includes('\nsurety_scheduler_paused 1\n');

  // The second start must not take events of the first one, recorded by its clock, for the time of the log.
  for (const _start of [1, 2]) {
    const holding = await place.startService();
    await waitUntil(
      async () => await isPaused(holding),
      () => 'the scheduler does not hold',
    );
    const ready = await holding.request('/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      {
        status: 'ready',
        checks: expect.arrayContaining([
          {
            name: 'scheduler',
            ok: true,
            severity: 'warning',
            reason: expect.stringMatching(
              /^paused: .* more than 31 days later than 2020-01-01T12:00:00.000Z, the last known time/,
            ),
          },
        ]),
      },
    ]);
    expect(await view(holding, `policies/${policyId}`)).toMatchObject({ status: 'accepted' });
    expect((await holding.process.stop()).code).toBe(0);
  }

  const first = await place.startService({ words: ['--accept-clock'] });
  await first.process.kill();
  const second = await place.startService();
  const today = dayOf(new Date().toISOString());
  let state: unknown;
  await waitUntil(
    async () => {
      const policy = (await view(second, `policies/${policyId}`)) as { renewal_date: string; status: string };
      const imported = (await view(second, `policies/${laterId}`)) as { status: string };
      const providers = await providersOf(second);
      state = [policy.renewal_date, imported.status, providers.count];
      return policy.renewal_date > today && imported.status === 'active' && providers.count === 1;
    },
    () => `next renewal, status of the imported one and number of providers are ${JSON.stringify(state)}`,
  );
  expect((await second.process.stop()).code).toBe(0);

  const log = await readSavedLog();
  const policyEvents = log.filter(({ stream }) => stream === `policy-${policyId}`);
  expect(policyEvents.slice(0, 2).map(({ type }) => type)).toEqual(['PolicyPurchased.v1', 'PolicyActivated.v1']);
  const terms = policyEvents.slice(2).map(({ data }) => (data as { term: { from: string; through: string } }).term);
  expect(terms.length).toBeGreaterThan(200);
  for (const [before, term] of terms.entries()) expect(term.from).toBe(addDays('2020-01-10', 10 * (before + 1)));
  const eventTypes = log.map(({ type }) => type);
  expect(eventTypes.filter((type) => type === 'ProviderRegistered.v1')).toHaveLength(2);
  expect(eventTypes.filter((type) => type === 'PolicyActivated.v1')).toHaveLength(2);
});

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { importBook } from '../book/import-process.ts';
import { writeMadeBook } from '../book/made-book.ts';
import { describeWithPython, FeedConsumer } from '../clients/feed/consumer.ts';
import { BOOK_DAYS, expectPortfolio } from '../clients/feed/portfolio.ts';
import { runSurety, type Service } from '../support/service-process.ts';
import { addVariedProducts, buyVariedPolicies } from '../support/varied-policies.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWorkspace } from '../support/workspace.ts';

const SEED = Math.floor(Math.random() * 2 ** 31);

const place = useWorkspace();
const settings = { LOG_LEVEL: 'error' };

const consumerIn = (name: string): FeedConsumer => new FeedConsumer(join(place.base, name), BOOK_DAYS);

/**
 * Fills a service with the sample, an imported book and policies that were bought. Returns the environment of the last
 * ones.
 */
async function startWithBook(): Promise<{ readonly service: Service; readonly environmentId: unknown }> {
  const service = await place.startService({ words: ['--sample'], settings });
  const { environment_id: environmentId } = await service.createEnvironment();
  const target = { folder: place.folder, refusedFolder: place.base, environmentId: Number(environmentId) };
  await importBook(writeMadeBook(place.base, SEED), target, ['--url', service.url]);
  await addVariedProducts(service);
  await buyVariedPolicies(service, environmentId);
  return { service, environmentId };
}

interface Rebuild {
  readonly rebuild_id: string;
  readonly state: string;
}

/** Rebuilds the read models again and again until the work has ended. Returns how many rebuilds were completed. */
async function whileRebuilt(service: Service, work: Promise<unknown>): Promise<number> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  let completed = 0;
  const ended = new AbortController();
  const whole = work.finally(() => ended.abort());
  do {
    const response = await service.request('/api/v1/admin/rebuilds/', post);
    expect(response.status).toBe(202);
    const { rebuild_id: id } = (await response.json()) as Rebuild;
    const state = await waitUntil(async () => {
      const rebuild = (await (await service.request(`/api/v1/admin/rebuilds/${id}/`)).json()) as Rebuild;
      return rebuild.state !== 'running' && rebuild.state;
    });
    expect(state).toBe('completed');
    completed += 1;
  } while (!ended.signal.aborted);
  await whole;
  return completed;
}

describeWithPython(`A consumer of the feed in Python (seed ${SEED})`, () => {
  test('counts what the portfolio counts after kills of it and of the service, and during a rebuild', async () => {
    const consumer = consumerIn('state.json');
    const { service, environmentId } = await startWithBook();

    const killed = await consumer.startAndWaitForPages(service.url, service.adminKey);
    killed.child.kill('SIGKILL');
    expect((await killed.result).signal).toBe('SIGKILL');
    const cut = await consumer.startAndWaitForPages(service.url, service.adminKey);
    await service.process.kill();
    expect((await cut.result).code).toBe(1);

    const again = await place.startService({ settings });
    const { url, adminKey } = again;
    const reading = await consumer.startAndWaitForPages(url, adminKey);
    const work = Promise.all([reading.result, buyVariedPolicies(again, environmentId)]);
    expect(await whileRebuilt(again, work)).toBeGreaterThan(0);
    await expectPortfolio(again, async () => await consumer.runUntilDone(url, adminKey));

    await buyVariedPolicies(again, environmentId);
    await expectPortfolio(again, async () => await consumer.runUntilDone(url, adminKey));
    const other = consumerIn('other.json');
    await other.runUntilDone(url, adminKey, 7);
    expect(other.state).toEqual(consumer.state);
  });

  test('reports that its cursor is unknown after a backup was restored, starts again, and counts what the portfolio counts', async () => {
    const [late, early] = [consumerIn('late.json'), consumerIn('early.json')];
    const { service, environmentId } = await startWithBook();
    await early.runUntilDone(service.url, service.adminKey);
    await buyVariedPolicies(service, environmentId);
    const copy = join(place.base, 'copy');
    expect(await runSurety(['backup', copy], { folder: place.folder })).toMatchObject({ code: 0, stderr: '' });
    await buyVariedPolicies(service, environmentId);
    await expectPortfolio(service, async () => await late.runUntilDone(service.url, service.adminKey));
    await service.process.stop();

    const restored = await place.startService({ settings: { ...settings, SURETY_DATA: copy } });
    const { url } = restored;
    const before = late.state;
    const refused = await late.run(url, service.adminKey);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/restored.*from the beginning.*after=0/) });
    expect(late.state).toEqual(before);
    // More events than before the backup do not make the cursor known.
    for (let round = 0; round < 2; round++) await buyVariedPolicies(restored, environmentId);
    expect((await late.run(url, service.adminKey)).code).toBe(3);
    await expectPortfolio(restored, async () => (await late.run(url, service.adminKey, '--from-start')).figures);
    // The cursor from before the backup is in the restored log.
    await expectPortfolio(restored, async () => await early.runUntilDone(url, service.adminKey));
    expect(early.state).toEqual(late.state);
  });
});

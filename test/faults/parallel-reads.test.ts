import { afterEach, describe, expect, test } from '@jest/globals';
import { appendLargeCustomer } from '../support/large-customer.ts';
import { termRow } from '../support/merchant-fixture.ts';
import { closeConnections, openConnection, statusesIn } from '../support/raw-connection.ts';
import { startWatchedService, type WatchedService } from '../support/watched-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWorkspace } from '../support/workspace.ts';

const place = useWorkspace();
const POLICIES = 300;
/**
 * Milliseconds of processor time, as the responses of others may take. Without turns all work of each of these attacks
 * is one turn of seconds.
 */
const LONGEST_TURN_MS = 250;
const MAX_MIB = 512;

afterEach(closeConnections);

async function importPolicies(service: WatchedService): Promise<string> {
  const { environment_id } = await service.createEnvironment();
  const { api_key } = await service.run('IssueApiKey', { environment_id, label: 'attack' });
  for (let from = 0; from < POLICIES; from += 20) {
    const numbers = Array.from({ length: 20 }, (_, index) => `MOT-${from + index}`);
    await Promise.all(
      numbers.map(async (number) => await service.run('ImportPolicyTerm', { ...termRow(number), environment_id })),
    );
  }
  return String(api_key);
}

async function shortCodeOf(service: WatchedService): Promise<string> {
  const response = await service.request('/api/v1/merchants');
  const { results } = (await response.json()) as { readonly results: unknown };
  return String([results].flat(3).map((merchant) => (merchant as { readonly short_code: string }).short_code)[0]);
}

async function expectOthersServed(service: WatchedService, attack: () => Promise<void>): Promise<void> {
  const { failures } = await service.probeWhile(attack);
  const load = await service.load();
  expect(failures).toEqual([]);
  expect(load.longestTurnMs).toBeLessThan(LONGEST_TURN_MS);
  expect(load.peakMib).toBeLessThan(MAX_MIB);
}

describe('Many reads of one key at once are served or refused, and do not hold up others:', () => {
  test('100 statements of 300 policies, and 240 pages of 1,000 events', async () => {
    const service = await startWatchedService(place);
    const key = await importPolicies(service);
    const code = await shortCodeOf(service);
    const ask = async (path: string, accept: string): Promise<number> => {
      const response = await service.request(path, { headers: { 'x-api-key': key, accept } });
      await response.arrayBuffer();
      return response.status;
    };
    const statuses: number[] = [];
    await expectOthersServed(service, async () => {
      const statement = `/api/v1/merchants/${code}/transactions/`;
      const downloads = Array.from({ length: 100 }, async () => await ask(statement, 'text/csv'));
      statuses.push(...(await Promise.all(downloads)));
      const pages = Array.from({ length: 240 }, async () => await ask('/api/v1/events?limit=1000', 'application/json'));
      statuses.push(...(await Promise.all(pages)));
    });
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(await ask(`/api/v1/merchants/${code}/transactions/`, 'text/csv')).toBe(200);
  });

  test('900 histories that are not read', async () => {
    await (await place.startService({ settings: { LOG_LEVEL: 'error' } })).process.stop();
    const { longPolicy } = await appendLargeCustomer(place.folder, 1, 300);
    const service = await startWatchedService(place);
    const read = `GET /api/v1/policies/${longPolicy}/history/ HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.adminKey}\r\nAccept: text/csv\r\n\r\n`;
    const statuses: unknown[] = [];
    await expectOthersServed(service, async () => {
      const connections = await Promise.all(Array.from({ length: 900 }, async () => await openConnection(service.url)));
      const answers = connections.map(async ({ socket }) => {
        const status = new Promise((resolve) => {
          socket.once('data', (text: string) => resolve(statusesIn(text)[0])).once('close', () => resolve('none'));
        });
        socket.write(read);
        statuses.push(await status);
        socket.pause();
      });
      await Promise.all(answers);
    });
    expect(statuses.filter((status) => status === '200')).toHaveLength(8);
    expect(statuses.filter((status) => status === '503')).toHaveLength(892);
    closeConnections();
    const headers = { accept: 'text/csv' };
    await waitUntil(async () => (await service.request(`/api/v1/policies/${longPolicy}/history/`, { headers })).ok);
  });
});

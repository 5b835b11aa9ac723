import { afterEach, expect, test } from '@jest/globals';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const REQUESTS = 30;

let service: ApiService;
let isUnavailable = false;

afterEach(async () => {
  isUnavailable = false;
  await service.stop();
});

/** An event store that can be unavailable for commands and health checks. */
function withOutages(real: EventStore): EventStore {
  const throwIfUnavailable = (): void => {
    if (isUnavailable)
      throw new StoreUnavailable('EventStoreDB does not answer', {
        cause: new Error('secret of the driver'),
        store: 'EventStoreDB',
      });
  };
  return new Proxy(real, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      // The subscription of the projector goes on.
      if (typeof member !== 'function' || name === 'subscribe') return member;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        throwIfUnavailable();
        return (await Reflect.apply(member, target, args)) as unknown;
      };
    },
  });
}

async function sendRequestsDuringOutage(): Promise<void> {
  service = await startApiService({ eventStore: withOutages, logLevel: 'info' });
  isUnavailable = true;
  for (let request = 0; request < REQUESTS; request++) {
    const body = { name: `Bank ${request}`, business_email: 'office@bank.example' };
    const response = await service.send('POST', '/api/v1/admin/commands/RegisterMerchant', { key: ADMIN_KEY, body });
    expect([response.status, response.json.code]).toEqual([503, 'unavailable']);
  }
}

/** Returns the log lines on the store or on single requests. */
const lines = (): readonly Record<string, unknown>[] =>
  service.logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => 'store' in line || 'request_id' in line);

test('logs two lines for an outage of the store, however many requests fail', async () => {
  await sendRequestsDuringOutage();
  isUnavailable = false;
  await waitUntil(() => lines().length > 1);
  expect(lines()).toMatchObject([
    { store: 'EventStoreDB', reason: 'EventStoreDB does not answer' },
    { store: 'EventStoreDB', refused: REQUESTS },
  ]);
  expect(service.logged.join('')).not.toMatch(/secret of the driver|"stack"/);
});

test('logs the second line at the stop when the outage continues', async () => {
  await sendRequestsDuringOutage();
  await service.http.stop();
  expect(lines()).toMatchObject([{ store: 'EventStoreDB' }, { store: 'EventStoreDB', refused: REQUESTS }]);
});

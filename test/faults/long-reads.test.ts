import { expect, test } from '@jest/globals';
import { appendLargeCustomer } from '../support/large-customer.ts';
import { startWatchedService } from '../support/watched-service.ts';
import { useWorkspace } from '../support/workspace.ts';

const place = useWorkspace();
const POLICIES = 2_000;

/** Milliseconds of processor time. All work of each of these requests takes half a second or more. */
const LONGEST_TURN_MS = 100;

test('reads of a customer with 2,000 policies, or of a policy with 300 terms, take turns with other requests', async () => {
  await (await place.startService({ settings: { LOG_LEVEL: 'error' } })).process.stop();
  const { customer, longPolicy } = await appendLargeCustomer(place.folder, POLICIES, 300);
  const service = await startWatchedService(place);
  const read = async (path: string, accept = 'application/json'): Promise<string> => {
    const response = await service.request(`/api/v1/${path}`, { headers: { accept } });
    expect([path, response.status]).toEqual([path, 200]);
    return await response.text();
  };
  const texts: string[] = [];
  const probes = await service.probeWhile(async () => {
    for (const accept of ['text/csv', 'application/x-ndjson'])
      texts.push(await read(`customers/${customer}/history`, accept));
    await Promise.all([1, 2, 3].map(async () => await read(`customers/${customer}?known_at=2026-03-02T00:00:00Z`)));
    await read(`policies/${longPolicy}/history`, 'text/csv');
    await read(`policies/${longPolicy}?as_of=2026-06-01`);
  });
  // A heading, the customer, and two events for each policy.
  expect(texts.map((text) => text.trimEnd().split('\n').length)).toEqual([2 * POLICIES + 2, 2 * POLICIES + 1]);
  expect(probes.failures).toEqual([]);
  expect((await service.load()).longestTurnMs).toBeLessThan(LONGEST_TURN_MS);
});

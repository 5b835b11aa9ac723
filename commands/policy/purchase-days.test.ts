import { beforeEach, expect, test } from '@jest/globals';
import { CommandHarness, LIVE } from '#test/support/command-harness.ts';
import { givenEnvironment, givenMerchants } from '#test/support/imports.ts';
import { givenQuote } from '#test/support/quotes.ts';
import { purchasePolicy } from './purchase-policy.ts';

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

test.each([
  ['2026-03-02T01:00:00.000Z', 'America/New_York', '2026-03-01'],
  ['2026-03-01T23:30:00.000Z', 'Africa/Lagos', '2026-03-02'],
  ['2026-03-01T10:00:00.000Z', 'Pacific/Kiritimati', '2026-03-02'],
  ['2026-03-01T10:59:59.000Z', 'Pacific/Pago_Pago', '2026-02-28'],
])('a policy that is bought at %s in %s begins on %s', async (now, timeZone, day) => {
  const zoned = { ...LIVE, environmentId: 7 };
  await givenEnvironment(harness, zoned, timeZone);
  const quote = await givenQuote(harness.eventStore, zoned);
  harness.now = now;
  const { events } = await harness.run(purchasePolicy, { quote_code: quote.quote_code }, { environment: zoned });
  expect(events[0]?.data).toMatchObject({ timeZone, effectiveAt: day, status: 'active', term: { from: day } });
});

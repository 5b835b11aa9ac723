import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '../event-sourcing/event.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import {
  setUpMerchant,
  setUpEnvironment,
  setUpProduct,
  setUpProvider,
  MERCHANT_INPUT,
  PRODUCT_INPUT,
  PROVIDER_INPUT,
} from '../../test/support/admin-fixtures.ts';
import { givenMerchants } from '../../test/support/imports.ts';
import { interceptAppends } from '../../test/support/intercept-appends.ts';
import { CommandHarness, LIVE } from '../../test/support/command-harness.ts';
import { offeredProduct } from '../../test/support/offered-products.ts';
import { givenQuote } from '../../test/support/quotes.ts';
import { RISKS } from '../../test/support/risks.ts';
import { issueApiKey } from '../../commands/api-key/issue-api-key.ts';
import { revokeApiKey } from '../../commands/api-key/revoke-api-key.ts';
import type { AnyCommand } from './command.ts';
import { createEnvironment } from '../../commands/environment/create-environment.ts';
import { registerMerchant } from '../../commands/merchant/register-merchant.ts';
import { updateMerchant } from '../../commands/merchant/update-merchant.ts';
import { purchasePolicy } from '../../commands/policy/purchase-policy.ts';
import { addProduct } from '../../commands/product/add-product.ts';
import { updateProduct } from '../../commands/product/update-product.ts';
import { registerProvider } from '../../commands/provider/register-provider.ts';
import { updateProvider } from '../../commands/provider/update-provider.ts';
import { requestQuotes } from '../../commands/quote/request-quotes.ts';

type Prepare = (h: CommandHarness) => Promise<object>;

/** Commands that use sequences, reservations, new streams, appends and the list of revoked keys. */
const CASES: readonly (readonly [string, AnyCommand, Prepare])[] = [
  ['RegisterMerchant', registerMerchant, async () => MERCHANT_INPUT],
  ['UpdateMerchant', updateMerchant, async (h) => ({ short_code: (await setUpMerchant(h)).shortCode, name: 'New' })],
  [
    'CreateEnvironment',
    createEnvironment,
    async (h) => ({ short_code: (await setUpMerchant(h)).shortCode, environment_name: 'Trial', test_mode: true }),
  ],
  [
    'IssueApiKey',
    issueApiKey,
    async (h) => ({ environment_id: await setUpEnvironment(h, (await setUpMerchant(h)).shortCode), label: 'till' }),
  ],
  [
    'RevokeApiKey',
    revokeApiKey,
    async (h) => ({ key_id: (await h.run(issueApiKey, { role: 'admin', label: 'till' })).result.key_id }),
  ],
  ['RegisterProvider', registerProvider, async () => PROVIDER_INPUT],
  ['UpdateProvider', updateProvider, async (h) => ({ provider_id: await setUpProvider(h), name: 'New' })],
  ['AddProduct', addProduct, async (h) => ({ provider_id: await setUpProvider(h), ...PRODUCT_INPUT })],
  [
    'UpdateProduct',
    updateProduct,
    async (h) => ({ product_id: await setUpProduct(h, await setUpProvider(h)), name: 'New' }),
  ],
  [
    'RequestQuotes',
    requestQuotes,
    async (h) => {
      h.products.push(offeredProduct(1));
      return { insurance_details: { product_type: 'Auto', additional_information: RISKS.Auto } };
    },
  ],
  [
    'PurchasePolicy',
    purchasePolicy,
    async (h) => {
      await givenMerchants(h);
      const { quote_code } = await givenQuote(h.eventStore, LIVE);
      return { quote_code, beneficiaries: [{ beneficiary_name: 'Ben' }] };
    },
  ],
];

/** Everything that a crash must not change: all but secrets and random event ids. */
function details(log: readonly RecordedEvent[]) {
  return log.map(({ stream, revision, type, data, metadata }) => {
    const { keyHash: _, ...rest } = data as { keyHash?: string };
    return { stream, revision, type, data: rest, command: metadata.command };
  });
}

/** Fails the n-th append, before or after it is stored. Returns a function that reports whether the command reached it. */
function failAt(h: CommandHarness, append: number, when: 'before' | 'after'): () => boolean {
  let appends = 0;
  let hasFailed = false;
  interceptAppends(h.eventStore, async (realAppend) => {
    appends += 1;
    if (appends !== append) return await realAppend();
    hasFailed = true;
    if (when === 'after') await realAppend();
    throw new StoreUnavailable('killed');
  });
  return () => hasFailed;
}

describe.each(CASES)('%s', (_name, command, prepare) => {
  test.each(['before', 'after'] as const)('is completed once by a retry after a crash %s any append', async (when) => {
    const undisturbed = new CommandHarness();
    const expected = await undisturbed.run(command, await prepare(undisturbed), { key: 'k' });
    const expectedFacts = details(await undisturbed.log());
    const { api_key: _, ...result } = expected.result;

    for (let append = 1; ; append++) {
      const h = new CommandHarness();
      const input = await prepare(h);
      const hasFailed = failAt(h, append, when);
      const first = await h.run(command, input, { key: 'k' }).catch((error: unknown) => error);
      if (!hasFailed()) {
        expect(append).toBeGreaterThan(2);
        break;
      }
      expect(first).toBeInstanceOf(StoreUnavailable);
      const retried = await h.run(command, input, { key: 'k' });
      expect(retried.result).toMatchObject(result);
      expect(retried.position).toBe(expected.position);
      expect(details(await h.log())).toEqual(expectedFacts);
    }
  });

  test('returns the recorded outcome of a repeated request at once', async () => {
    const h = new CommandHarness();
    const input = await prepare(h);
    const first = await h.run(command, input, { key: 'k' });
    const again = await h.run(command, input, { key: 'k' });
    expect(again).toMatchObject({ replayed: true, commandId: first.commandId, stream: first.stream });
    expect(h.pausedMs).toBe(0);
  });
});

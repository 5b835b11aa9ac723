import { describe, expect, test } from '@jest/globals';
import type { Recorded } from '../event-sourcing/event.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import {
  aMerchant,
  anEnvironment,
  aProduct,
  aProvider,
  MERCHANT_INPUT,
  PRODUCT_INPUT,
  PROVIDER_INPUT,
} from '../../test/support/back-office.ts';
import { givenMerchants } from '../../test/support/book.ts';
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

/** A command of every way of writing: numbers, reservations, new streams, changes of streams, what only lists know. */
const CASES: readonly (readonly [string, AnyCommand, Prepare])[] = [
  ['RegisterMerchant', registerMerchant, async () => MERCHANT_INPUT],
  ['UpdateMerchant', updateMerchant, async (h) => ({ short_code: (await aMerchant(h)).shortCode, name: 'New' })],
  [
    'CreateEnvironment',
    createEnvironment,
    async (h) => ({ short_code: (await aMerchant(h)).shortCode, environment_name: 'Trial', test_mode: true }),
  ],
  [
    'IssueApiKey',
    issueApiKey,
    async (h) => ({ environment_id: await anEnvironment(h, (await aMerchant(h)).shortCode) }),
  ],
  [
    'RevokeApiKey',
    revokeApiKey,
    async (h) => ({ key_id: (await h.run(issueApiKey, { role: 'admin' })).result.key_id }),
  ],
  ['RegisterProvider', registerProvider, async () => PROVIDER_INPUT],
  ['UpdateProvider', updateProvider, async (h) => ({ provider_id: await aProvider(h), name: 'New' })],
  ['AddProduct', addProduct, async (h) => ({ provider_id: await aProvider(h), ...PRODUCT_INPUT })],
  ['UpdateProduct', updateProduct, async (h) => ({ product_id: await aProduct(h, await aProvider(h)), name: 'New' })],
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

/** What is the same whether or not the process died on the way: everything but secrets and the record's random id. */
function facts(log: readonly Recorded[]) {
  return log.map(({ stream, revision, type, data, metadata }) => {
    const { keyHash: _, ...told } = data as { keyHash?: string };
    return { stream, revision, type, told, command: metadata.command };
  });
}

/** Dies at the n-th append, before it is written or after it was written and not yet answered; tells whether it came so far. */
function diesAt(h: CommandHarness, append: number, when: 'before' | 'after'): () => boolean {
  const { eventStore } = h;
  const intact = eventStore.append.bind(eventStore);
  let appends = 0;
  let died = false;
  eventStore.append = async (...args) => {
    appends += 1;
    if (appends !== append) return await intact(...args);
    died = true;
    eventStore.append = intact;
    if (when === 'after') await intact(...args);
    throw new StoreUnavailable('killed');
  };
  return () => died;
}

describe.each(CASES)('%s', (_name, command, prepare) => {
  test.each(['before', 'after'] as const)('dying %s any of its appends is finished once by its retry', async (when) => {
    const undisturbed = new CommandHarness();
    const expected = await undisturbed.run(command, await prepare(undisturbed), { key: 'k' });
    const expectedFacts = facts(await undisturbed.log());
    const { api_key: _, ...result } = expected.result;

    for (let append = 1; ; append++) {
      const h = new CommandHarness();
      const input = await prepare(h);
      const died = diesAt(h, append, when);
      const first = await h.run(command, input, { key: 'k' }).catch((error: unknown) => error);
      if (!died()) {
        expect(append).toBeGreaterThan(2);
        break;
      }
      expect(first).toBeInstanceOf(StoreUnavailable);
      const retried = await h.run(command, input, { key: 'k' });
      expect(retried.result).toMatchObject(result);
      expect(retried.position).toBe(expected.position);
      expect(facts(await h.log())).toEqual(expectedFacts);
    }
  });

  test('given again with its key is answered from the log at once', async () => {
    const h = new CommandHarness();
    const input = await prepare(h);
    const first = await h.run(command, input, { key: 'k' });
    const again = await h.run(command, input, { key: 'k' });
    expect(again).toMatchObject({ replayed: true, commandId: first.commandId, stream: first.stream });
    expect(h.pausedMs).toBe(0);
  });
});

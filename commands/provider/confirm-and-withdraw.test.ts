import { beforeEach, describe, expect, test } from '@jest/globals';
import { productStream } from '#domain/product/product.ts';
import { PRODUCT_INPUT, PROVIDER_INPUT, setUpProduct, setUpProvider } from '#test/support/admin-fixtures.ts';
import { CommandHarness, type CommandOptions, LIVE, MERCHANT, TEST } from '#test/support/command-harness.ts';
import { givenMerchants, importRow, OTHER_MERCHANT } from '#test/support/imports.ts';
import { addProduct } from '../product/add-product.ts';
import { confirmProvider, withdrawProvider } from './confirm-and-withdraw.ts';
import { registerProvider } from './register-provider.ts';
import { updateProvider } from './update-provider.ts';

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

const LIVE_KEY: CommandOptions = { actor: MERCHANT, environment: LIVE };
const UNKNOWN = { provider_id: '6f1d2f0c-5b0e-5f52-9c3a-5e1a7c1f2b64' };

/** Registers a provider with a merchant's key. */
async function registeredBy(sent: CommandOptions, changes: object = {}): Promise<string> {
  return String((await h.run(registerProvider, { ...PROVIDER_INPUT, ...changes }, sent)).result.provider_id);
}

describe('ConfirmProvider', () => {
  test('confirms a provider once for a repeated request', async () => {
    const providerId = await registeredBy(LIVE_KEY);
    const input = { provider_id: providerId.toUpperCase() };
    const outcome = await h.run(confirmProvider, input, { key: 'k' });
    expect(outcome).toMatchObject({ created: false, result: { provider_id: providerId }, revision: 1 });
    expect((await h.run(confirmProvider, input, { key: 'k' })).replayed).toBe(true);
    expect((await h.expectRefusal(confirmProvider, UNKNOWN)).code).toBe('provider_not_found');
  });

  test('rejects a provider of the test mode whose name a live one took meanwhile', async () => {
    const provider_id = await registeredBy({ actor: MERCHANT, environment: TEST });
    await registeredBy(LIVE_KEY, { name: 'LEADWAY' });
    expect((await h.expectRefusal(confirmProvider, { provider_id })).code).toBe('provider_already_registered');
    await h.run(updateProvider, { provider_id, name: 'Leadway Sandbox' });
    expect((await h.run(confirmProvider, { provider_id })).result).toEqual({ provider_id });
  });

  test('beside registrations of its name leaves one provider of that name', async () => {
    const provider_id = await registeredBy(LIVE_KEY);
    const keys = [LIVE, OTHER_MERCHANT].map((environment) => ({ actor: MERCHANT, environment }));
    const ends = await Promise.allSettled([
      h.run(confirmProvider, { provider_id }),
      ...[...keys, {}].map((sent) => h.run(registerProvider, { ...PROVIDER_INPUT, name: 'ＬＥＡＤＷＡＹ' }, sent)),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect((await h.log()).filter(({ type }) => type === 'ProviderRegistered')).toHaveLength(1);
  });
});

describe('WithdrawProvider', () => {
  test('withdraws a provider, whose name stays taken', async () => {
    const provider_id = await registeredBy(LIVE_KEY);
    const outcome = await h.run(withdrawProvider, { provider_id });
    expect(outcome).toMatchObject({ created: false, result: { provider_id }, revision: 1 });
    expect((await h.expectRefusal(withdrawProvider, UNKNOWN)).code).toBe('provider_not_found');
    expect((await h.expectRefusal(registerProvider, PROVIDER_INPUT)).code).toBe('provider_already_registered');
  });

  test('ends the addition of products, and not that of policies by an import', async () => {
    await givenMerchants(h);
    const provider_id = await setUpProvider(h, { name: 'Assurance' });
    const product = await setUpProduct(h, provider_id, { name: 'Private Motor', currency: 'EUR' });
    await h.run(withdrawProvider, { provider_id });
    const refusal = await h.expectRefusal(addProduct, { ...PRODUCT_INPUT, provider_id });
    expect(refusal.code).toBe('provider_withdrawn');
    const { events } = await importRow(h, {}, { environment: LIVE });
    expect(events[0]?.data).toMatchObject({ provider: { id: provider_id }, product: { id: product } });
  });
});

test('A product is seen by all who see its provider: it has no merchant of its own, unless an import registered the provider', async () => {
  await givenMerchants(h);
  const { events } = await importRow(h, {}, { environment: LIVE });
  const { provider } = events[0]!.data as { provider: { id: string } };
  for (const [providerId, merchantId] of [
    [await registeredBy(LIVE_KEY), null],
    [provider.id, LIVE.merchantId],
  ] as const) {
    const added = await h.data(productStream(await setUpProduct(h, providerId)), 0);
    expect(added).toMatchObject({ visibility: 'live', merchantId });
  }
});

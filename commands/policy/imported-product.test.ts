import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import { productStream } from '#domain/product/product.ts';
import { providerStream } from '#domain/provider/provider.ts';
import { merchantScope } from '#domain/reservations.ts';
import { reservationStream, derivedId } from '#event-sourcing/identifiers.ts';
import { PRODUCT_INPUT, PROVIDER_INPUT, setUpProduct as setUp, setUpProvider } from '#test/support/admin-fixtures.ts';
import { CommandHarness, type CommandOptions, LIVE, MERCHANT, TEST } from '#test/support/command-harness.ts';
import { givenMerchants, importRow, OTHER_MERCHANT, policyRow } from '#test/support/imports.ts';
import { confirmProvider } from '../provider/confirm-and-withdraw.ts';
import { registerProvider } from '../provider/register-provider.ts';
import { updateProvider } from '../provider/update-provider.ts';
import { updateProduct } from '../product/update-product.ts';
import { importPolicyTerm } from './import-policy-term.ts';

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

/** Adds a product in the currency of the rows. */
const setUpProduct = async (to: CommandHarness, provider: string, changes: object) =>
  await setUp(to, provider, { currency: 'EUR', ...changes });
let imports = 0;
/** Imports another policy and returns the ids of its provider and product. */
async function importedIds(environment: ActingEnvironment = LIVE, changes: Readonly<Record<string, string>> = {}) {
  const { events } = await importRow(harness, { policy_number: `N-${++imports}`, ...changes }, { environment });
  const { provider, product } = events[0]!.data as Record<'provider' | 'product', { readonly id: string }>;
  return { provider: provider.id, product: product.id };
}
const providerOf = async (id: string) => await harness.data(providerStream(id), 0);
const productOf = async (id: string) => await harness.data(productStream(id), 0);
const sentBy = (environment: ActingEnvironment): CommandOptions => ({ actor: MERCHANT, environment });

describe('An import of an unknown provider and product', () => {
  test('registers both for its merchant and mode alone, not for sale', async () => {
    const live = await importedIds();
    const owner = { visibility: 'live', merchantId: LIVE.merchantId };
    expect(await providerOf(live.provider)).toMatchObject({
      name: 'Assurance',
      ...owner,
      supportEmail: null,
      supportPhone: null,
    });
    expect(await productOf(live.product)).toMatchObject({
      name: 'Private Motor',
      ...owner,
      providerId: live.provider,
      basePremium: '0.00',
      currency: 'EUR',
      isLive: false,
    });
    const inTest = await importedIds(TEST);
    const ofOther = await importedIds(OTHER_MERCHANT);
    expect(new Set([live, inTest, ofOther].flatMap((ids) => Object.values(ids))).size).toBe(6);
    expect(await providerOf(inTest.provider)).toMatchObject({ visibility: 'test', merchantId: LIVE.merchantId });
    expect(await productOf(ofOther.product)).toMatchObject({ merchantId: OTHER_MERCHANT.merchantId });
    expect(await importedIds()).toEqual(live);
  });

  test('takes the name from its merchant in this mode, and from no other merchant', async () => {
    await importedIds();
    const input = { ...PROVIDER_INPUT, name: 'ASSURANCE' };
    const { code } = await harness.expectRefusal(registerProvider, input, sentBy(LIVE));
    expect(code).toBe('provider_already_registered');
    expect((await harness.run(registerProvider, input, sentBy(TEST))).created).toBe(true);
    expect((await harness.run(registerProvider, input, sentBy(OTHER_MERCHANT))).created).toBe(true);
  });
});

describe('An import', () => {
  test('uses what its merchant and mode see of these names', async () => {
    const provider = await setUpProvider(harness, { name: 'Assurance' });
    const product = await setUpProduct(harness, provider, { name: 'Private Motor' });
    expect(await importedIds()).toEqual({ provider, product });
    expect(await importedIds(TEST)).toEqual({ provider, product });
    const own = await importedIds(LIVE, { product_name: 'Old Motor' });
    expect(own.provider).toBe(provider);
    expect(await productOf(own.product)).toMatchObject({ visibility: 'live', merchantId: LIVE.merchantId });
    expect((await importedIds(OTHER_MERCHANT, { product_name: 'Old Motor' })).product).not.toBe(own.product);
  });

  test('prefers its own of an earlier import to what every merchant sees later', async () => {
    const own = await importedIds();
    const provider = await setUpProvider(harness, { name: 'Assurance' });
    await setUpProduct(harness, provider, { name: 'Private Motor' });
    expect(await importedIds()).toEqual(own);
    expect((await importedIds(OTHER_MERCHANT)).provider).toBe(provider);
  });

  test('finds the products that were added to its own provider, or got their name there', async () => {
    const { provider } = await importedIds();
    const added = await setUpProduct(harness, provider, { name: 'Fleet' });
    expect(await productOf(added)).toMatchObject({ visibility: 'live', merchantId: LIVE.merchantId });
    expect(await importedIds(LIVE, { product_name: 'Fleet' })).toEqual({ provider, product: added });
    await harness.run(updateProduct, { product_id: added, name: 'Vans' });
    expect((await importedIds(LIVE, { product_name: 'Vans' })).product).toBe(added);
  });
});

describe('A provider that only one merchant sees', () => {
  test('gets a name that no provider which the merchant sees has', async () => {
    const { provider } = await importedIds();
    await setUpProvider(harness, { name: 'Custodian' });
    const rename = async (name: string) => await harness.run(updateProvider, { provider_id: provider, name });
    await expect(rename('Custodian')).rejects.toMatchObject({ code: 'provider_already_registered' });
    await rename('Leadway');
    expect((await importedIds(LIVE, { provider_name: 'Leadway' })).provider).toBe(provider);
    expect((await harness.run(registerProvider, PROVIDER_INPUT)).created).toBe(true);
  });
});

describe('What a merchant registered with its key', () => {
  test('is used by its own imports, by those of others once it is confirmed, and with a name that looks the same', async () => {
    const register = async (name: string) => {
      const { result } = await harness.run(registerProvider, { ...PROVIDER_INPUT, name }, sentBy(LIVE));
      return String(result.provider_id);
    };
    const provider = await register('Assurance');
    const product = await setUpProduct(harness, provider, { name: 'Private Motor' });
    expect(await importedIds(LIVE, { provider_name: 'ＡＳＳＵＲ\u{200d}ＡＮＣＥ' })).toEqual({ provider, product });
    const own = await importedIds(OTHER_MERCHANT);
    expect(own.provider).not.toBe(provider);
    expect(await providerOf(own.provider)).toMatchObject({ merchantId: OTHER_MERCHANT.merchantId, imported: true });
    await harness.run(confirmProvider, { provider_id: provider });
    expect(await importedIds(OTHER_MERCHANT)).toEqual(own);
    const confirmed = await register('Harbour Mutual');
    await harness.run(confirmProvider, { provider_id: confirmed });
    expect((await importedIds(OTHER_MERCHANT, { provider_name: 'Harbour Mutual' })).provider).toBe(confirmed);
    expect((await importedIds(TEST)).provider).not.toBe(provider);
  });
});

describe('An import beside a registration of its name with a key of its merchant', () => {
  const register = async (sent: CommandOptions) =>
    await harness.run(registerProvider, { ...PROVIDER_INPUT, name: 'Assurance' }, sent);
  /** Runs something before the first reservation of the name of a provider. */
  const beforeReservation = (run: () => Promise<unknown>): void => {
    harness.eventStore.beforeAppend = async (stream) => {
      if (!stream.startsWith('providerName-')) return;
      harness.eventStore.beforeAppend = () => {};
      await run();
    };
  };
  const providersOf = async (...streams: readonly ActingEnvironment[]) =>
    (await harness.log()).filter(
      ({ type, data }) =>
        type === 'ProviderRegistered' &&
        streams.some(({ merchantId }) => merchantId === (data as { merchantId?: string }).merchantId),
    );

  test.each([
    ['live', LIVE],
    ['test', TEST],
  ])('joins the provider when it reserves the name after the registration, in %s', async (_, environment) => {
    let registered: unknown;
    beforeReservation(async () => {
      registered = (await register(sentBy(environment))).result.provider_id;
    });
    expect((await importedIds(environment)).provider).toBe(registered);
    expect(await providersOf(LIVE)).toHaveLength(1);
  });

  test.each([
    ['live', LIVE],
    ['test', TEST],
  ])('refuses the registration when it reserves the name first, in %s', async (_, environment) => {
    beforeReservation(async () => await importedIds(environment));
    await expect(register(sentBy(environment))).rejects.toMatchObject({ code: 'provider_already_registered' });
    expect(await providersOf(LIVE)).toHaveLength(1);
  });

  test('registers its own provider where the registration lost the name to another merchant', async () => {
    beforeReservation(async () => await register(sentBy(OTHER_MERCHANT)));
    await expect(register(sentBy(LIVE))).rejects.toMatchObject({ code: 'provider_already_registered' });
    const own = await importedIds();
    expect(await providerOf(own.provider)).toMatchObject({ merchantId: LIVE.merchantId, imported: true });
    const ofOther = String((await providersOf(OTHER_MERCHANT))[0]?.stream.slice('provider-'.length));
    await harness.run(confirmProvider, { provider_id: ofOther });
    expect(await importedIds()).toEqual(own);
  });

  test('joins the provider of an administrator to whom the registration lost the name', async () => {
    let registered: unknown;
    beforeReservation(async () => {
      registered = (await register({})).result.provider_id;
    });
    await expect(register(sentBy(LIVE))).rejects.toMatchObject({ code: 'provider_already_registered' });
    expect((await importedIds()).provider).toBe(registered);
  });
});

describe('An unfinished registration with a key', () => {
  const unfinished = async (environment: ActingEnvironment): Promise<void> => {
    const target = providerStream(derivedId('unfinished'));
    for (const scope of [merchantScope(environment), 'live'])
      await givenReservation('providerName', scope, 'assurance', target, environment);
  };

  test('of another merchant does not hold up an import, which would never use it', async () => {
    await unfinished(OTHER_MERCHANT);
    expect(await providerOf((await importedIds()).provider)).toMatchObject({ merchantId: LIVE.merchantId });
  });

  test('of the same merchant in the other mode neither', async () => {
    await unfinished(LIVE);
    expect(await providerOf((await importedIds(TEST)).provider)).toMatchObject({ visibility: 'test' });
  });

  test('of the same merchant in this mode makes an import of its name fail as busy', async () => {
    await unfinished(LIVE);
    expect((await harness.expectRefusal(importPolicyTerm, policyRow())).code).toBe('busy');
  });
});

describe('An unfinished registration by an administrator', () => {
  test('of a provider makes an import of its name fail as busy', async () => {
    await givenReservation('providerName', 'live', 'Assurance', providerStream(derivedId('unfinished')));
    expect((await harness.expectRefusal(importPolicyTerm, policyRow())).code).toBe('busy');
  });

  test('of a product makes an import of its name fail as busy', async () => {
    const provider = await setUpProvider(harness, { name: 'Assurance' });
    const value = `${PRODUCT_INPUT.product_type} Private Motor`;
    await givenReservation('productName', provider, value, productStream(derivedId('unfinished')));
    expect((await harness.expectRefusal(importPolicyTerm, policyRow())).code).toBe('busy');
  });
});

async function givenReservation(
  kind: 'providerName' | 'productName',
  scope: string,
  value: string,
  target: string,
  environment: ActingEnvironment | null = null,
): Promise<void> {
  const actor = { role: 'admin', keyId: null };
  const data = { kind, scope, value, target, decidedAt: harness.now, actor, environment, input: {} };
  await harness.given(reservationStream(kind, scope, value), { type: 'ValueReserved', data });
}

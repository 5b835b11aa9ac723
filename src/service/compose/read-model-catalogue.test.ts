import { expect, test } from '@jest/globals';
import { type SampleEvent, appendSamples, sampleId, toEventToAppend } from '#test/support/sample-events.ts';
import { LIVE, TEST } from '#test/support/command-harness.ts';
import { OTHER_MERCHANT } from '#test/support/imports.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import { offeredProduct } from '#test/support/offered-products.ts';
import { runTestProjector } from '#test/support/test-projector.ts';
import type { VisibilityFields } from '#domain/visibility.ts';
import type { ProductState } from '#domain/product/product.ts';
import { readModelCatalogue } from './read-model-catalogue.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

const stream = `provider-${sampleId('provider', 1)}`;
const registeredProvider = (visibilityFields: VisibilityFields): SampleEvent => ({
  stream,
  type: 'ProviderRegistered',
  data: {
    providerId: sampleId('provider', 1),
    ...visibilityFields,
    imported: false,
    name: 'Insurer 1',
    supportEmail: null,
    supportPhone: null,
    address: null,
  },
  tags: {},
});
const providerRegistered = registeredProvider({ visibility: 'both', merchantId: null });

function productAdded(number: number, changes: Partial<ProductState> = {}): SampleEvent {
  const { status: _, ...state } = offeredProduct(number, {
    providerId: sampleId('provider', 1),
    ...changes,
  }).product;
  return { stream: `product-${state.productId}`, type: 'ProductAdded', data: state, tags: {} };
}

function productWithdrawn(number: number): SampleEvent {
  const { productId, visibility } = offeredProduct(number).product;
  const data = { productId, providerId: sampleId('provider', 1), visibility };
  return { stream: `product-${productId}`, type: 'ProductWithdrawn', data, tags: {} };
}

test('returns all products on sale when most products are not on sale', async () => {
  const [eventStore, readModels] = [new MemoryEventStore(), openTestReadModels()];
  const imported = Array.from({ length: 1_000 }, (_, number) => productAdded(number, { isLive: false }));
  await appendSamples(eventStore, providerRegistered, ...imported);
  const later = [
    productAdded(1_000),
    productAdded(1_001),
    productAdded(1_002, { visibility: 'test' }),
    productAdded(1_003, { productType: 'Life' }),
    productAdded(1_004, { visibility: 'live', merchantId: LIVE.merchantId }),
  ];
  for (const added of later) {
    await appendTo(eventStore, added.stream, 'no_stream', [toEventToAppend(added, 0, '2026-03-02T10:00:00.000Z')]);
  }
  await appendSamples(eventStore, productWithdrawn(1_000));
  await runTestProjector({ eventStore, readModels });
  const { productsOnSale } = readModelCatalogue(readModels, async () => {});
  expect((await productsOnSale('Auto', LIVE)).map(({ product }) => product.name).toSorted()).toEqual([
    'Product 1001',
    'Product 1004',
  ]);
  expect((await productsOnSale('Auto', OTHER_MERCHANT)).map(({ product }) => product.name)).toEqual(['Product 1001']);
  expect((await productsOnSale('Auto', TEST)).map(({ product }) => product.name).toSorted()).toEqual([
    'Product 1001',
    'Product 1002',
  ]);
});

test('returns a product by its id, on sale or not', async () => {
  const [eventStore, readModels] = [new MemoryEventStore(), openTestReadModels()];
  await appendSamples(eventStore, productAdded(1), productAdded(2, { isLive: false }), productAdded(3));
  await appendTo(eventStore, productWithdrawn(3).stream, 0, [
    toEventToAppend(productWithdrawn(3), 1, '2026-03-02T10:00:00.000Z'),
  ]);
  await runTestProjector({ eventStore, readModels });
  let awaited = 0;
  const { productById } = readModelCatalogue(readModels, async () => {
    awaited += 1;
  });
  const nameOf = async (number: number) => (await productById(sampleId('product', number)))?.name;
  expect([await nameOf(1), await nameOf(2), await nameOf(3), await nameOf(4)]).toEqual([
    'Product 1',
    'Product 2',
    'Product 3',
    undefined,
  ]);
  expect((await productById(sampleId('product', 3)))?.status).toBe('withdrawn');
  expect(awaited).toBe(5);
});

test('returns the new content of a repaired document at the same position', async () => {
  const [eventStore, readModels] = [new MemoryEventStore(), openTestReadModels()];
  await appendSamples(eventStore, providerRegistered, productAdded(1));
  await runTestProjector({ eventStore, readModels });
  const { productsOnSale } = readModelCatalogue(readModels, async () => {});
  const names = async () => (await productsOnSale('Auto', LIVE)).map(({ product }) => product.name);
  expect(await names()).toEqual(['Product 1']);
  const [stored] = await readModels.scan('products', { after: undefined, limit: 1 });
  if (stored === undefined) throw new Error('the product is not there');
  readModels.put('products', { ...stored, body: stored.body?.replaceAll('Product 1', 'Repaired product') });
  expect(await names()).toEqual(['Repaired product']);
});

test('returns a product of a provider that is not confirmed to its merchant alone, then to all, and of a withdrawn one to no merchant', async () => {
  const [eventStore, readModels] = [new MemoryEventStore(), openTestReadModels()];
  const { merchantId } = LIVE;
  await appendSamples(
    eventStore,
    registeredProvider({ visibility: 'live', merchantId }),
    productAdded(1, { visibility: 'live' }),
  );
  const { productsOnSale } = readModelCatalogue(readModels, async () => {});
  const offered = async () => {
    await runTestProjector({ eventStore, readModels });
    const products = [LIVE, OTHER_MERCHANT, TEST].map(async (environment) => await productsOnSale('Auto', environment));
    return (await Promise.all(products)).map(({ length }) => length);
  };
  const move = async (type: string, revision: number): Promise<void> => {
    const data = { providerId: sampleId('provider', 1), visibility: 'live' };
    const event = toEventToAppend({ stream, type, data, tags: {} }, revision, '2026-03-02T10:00:00.000Z');
    await appendTo(eventStore, stream, revision - 1, [event]);
  };
  expect(await offered()).toEqual([1, 0, 0]);
  await move('ProviderConfirmed', 1);
  expect(await offered()).toEqual([1, 1, 0]);
  await move('ProviderWithdrawn', 2);
  expect(await offered()).toEqual([0, 0, 0]);
});

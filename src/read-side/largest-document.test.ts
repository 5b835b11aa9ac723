import { expect, test } from '@jest/globals';
import { policies } from '#projections/policies/policies.ts';
import type { AnyProjection } from '#projections/projection.ts';
import { LARGEST_BODY_BYTES } from '#projections/working-document.ts';
import * as sample from '#test/support/sample-events.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import { readAllDocuments, runTestProjector } from '#test/support/test-projector.ts';

/**
 * Returns the projection of policies with documents enlarged by the given number of bytes for each event type; each
 * letter has two bytes.
 */
function enlargedPolicies(bytes: Readonly<Record<string, number>>): readonly AnyProjection[] {
  const fold: typeof policies.fold = (document, event) =>
    ({ ...policies.fold(document, event), ballast: 'Ω'.repeat((bytes[event.type] ?? 0) / 2) }) as never;
  return [{ ...policies, fold }];
}

const { appendSamples, sampleId, term } = sample;
const SECOND_TERM = sample.policyTermImported(1, 1, term('2026-01-01', '2026-12-31', '120.00'));
const FIRST = sampleId('policy', 1);

test('parks a document at the event that makes it too large for the stores, and continues with the others', async () => {
  const eventStore = new MemoryEventStore();
  const readModels = openTestReadModels();
  const projections = enlargedPolicies({
    PolicyImported: 1_000_000,
    PolicyTermImported: LARGEST_BODY_BYTES,
    PolicyCancelled: LARGEST_BODY_BYTES,
  });
  const position = await appendSamples(
    eventStore,
    sample.policyImported(1, 1),
    SECOND_TERM,
    sample.policyCancelled(1, 1),
    sample.policyImported(1, 2),
  );
  await runTestProjector({ eventStore, readModels, projections }, position);
  const parked = await readModels.get('policies', FIRST);
  expect(parked).toMatchObject({
    revision: 0,
    parked: { reason: expect.stringContaining('larger than 8 MiB'), eventType: 'PolicyTermImported.v1', position: 2n },
  });
  expect(parked?.body?.length).toBeGreaterThan(500_000);
  expect(await readModels.get('policies', sampleId('policy', 2))).toMatchObject({ parked: undefined });
  const expected = openTestReadModels();
  await runTestProjector({ eventStore, readModels: expected, projections });
  expect(await readAllDocuments(readModels, projections)).toEqual(await readAllDocuments(expected, projections));
});

test('writes a document of the maximum size, with its view', async () => {
  const eventStore = new MemoryEventStore();
  const readModels = openTestReadModels();
  const sizeIn = async (stored: typeof readModels): Promise<number> => {
    const [document] = await stored.scan('policies', { after: undefined, limit: 1 });
    return Buffer.byteLength(document?.body ?? '') + Buffer.byteLength(document?.view?.json ?? '');
  };
  const size = async (ballast: number): Promise<number> => {
    const projections = enlargedPolicies({ PolicyImported: ballast });
    const expected = openTestReadModels();
    await runTestProjector({ eventStore, readModels: expected, projections });
    return await sizeIn(expected);
  };
  await appendSamples(eventStore, sample.policyImported(1, 1));
  const largest = LARGEST_BODY_BYTES - (await size(0));
  // Each letter has two bytes.
  const projections = enlargedPolicies({ PolicyImported: largest - (largest % 2) });
  await runTestProjector({ eventStore, readModels, projections });
  expect(await readModels.get('policies', FIRST)).toMatchObject({ parked: undefined });
  expect(await sizeIn(readModels)).toBeGreaterThan(LARGEST_BODY_BYTES - 2);
});

import { describe, expect, test } from '@jest/globals';
import { policies, type PolicyDocument } from '#projections/policies/policies.ts';
import { type AnyProjection, FoldError } from '#projections/projection.ts';
import { PROJECTIONS } from '#projections/registry.ts';
import * as sample from '#test/support/sample-events.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import {
  readAllDocuments,
  waitForPosition,
  type LoggedLine,
  runTestProjector,
  startTestProjector,
} from '#test/support/test-projector.ts';
import { appendTo, type Position } from '#stores/event-log/event-log.ts';
import { logOrder } from '#stores/read-models/read-models.ts';
import { verifyDocuments } from '#service/compose/verify.ts';

const { appendSamples, sampleId, term } = sample;
const POLICY = `policy-${sampleId('policy', 1)}`;
const SECOND_TERM = sample.policyTermImported(1, 1, term('2026-01-01', '2026-12-31', '120.00'));

function createStores() {
  return { eventStore: new MemoryEventStore(), readModels: openTestReadModels(), lines: [] as LoggedLine[] };
}

/** Appends what no command would have written. */
async function smuggle(
  store: MemoryEventStore,
  stream: string,
  event: { type?: string; data?: unknown; metadata?: unknown },
): Promise<Position> {
  const last = await store.readLast(stream);
  const good = sample.toEventToAppend(SECOND_TERM, (last?.revision ?? -1) + 1);
  return (await appendTo(store, stream, last?.revision ?? 'no_stream', [{ ...good, ...event }])).position;
}

/** The policies as a program folds them that has a fault. */
function faulty(fault: (type: string) => void): readonly AnyProjection[] {
  const fold: typeof policies.fold = (document, event) => {
    fault(event.type);
    return policies.fold(document, event);
  };
  return [{ ...policies, fold }];
}

describe('an event that cannot be folded', () => {
  test('with invalid data parks only the documents that it is applied to', async () => {
    const { eventStore, readModels, lines } = createStores();
    await appendSamples(eventStore, sample.customerRegistered(1), sample.policyImported(1, 1));
    const poison = await smuggle(eventStore, POLICY, { data: { term: 'Jane Doe' } });
    const eventId = (await eventStore.readLast(POLICY))?.id;
    await appendSamples(eventStore, sample.customerRegistered(2), sample.policyImported(2, 2));
    const position = await appendSamples(eventStore, SECOND_TERM);
    const projector = await startTestProjector({ eventStore, readModels, lines });
    await waitForPosition(projector, position);
    const parked = projector.status().collections.filter((collection) => collection.parked > 0);
    expect(parked).toMatchObject([
      { collection: 'policies', parked: 1 },
      { collection: 'transactions', parked: 1 },
    ]);
    await projector.stop();

    const document = await readModels.get('policies', sampleId('policy', 1));
    expect(document?.parked).toMatchObject({ eventId, eventType: 'PolicyTermImported.v1', position: poison });
    expect(document?.parked?.reason).toMatch(
      /^PolicyTermImported\.v1 cannot be folded: data of PolicyTermImported\.v1/,
    );
    expect(JSON.parse(document?.body ?? '')).toMatchObject({ policy: { terms: [{ premium: '100.00' }] } });
    // The revision of what is shown.
    expect(document).toMatchObject({ stream: POLICY, revision: 0, position: poison });

    const { count } = await readModels.find('event_entries', {
      where: { customer: sampleId('customer', 1) },
      limit: 0,
      offset: 0,
    });
    expect(count).toBe(4);
    expect((await readModels.get('policies', sampleId('policy', 2)))?.parked).toBeUndefined();
    expect(JSON.stringify(lines)).not.toContain('Jane');
  });

  test('parks the document at an unknown type', async () => {
    const type = 'PolicyPainted.v1';
    const { eventStore, readModels } = createStores();
    await appendSamples(eventStore, sample.customerRegistered(1), sample.policyImported(1, 1));
    const position = await smuggle(eventStore, POLICY, { type });
    await runTestProjector({ eventStore, readModels }, position);
    const document = await readModels.get('policies', sampleId('policy', 1));
    expect(document?.parked?.reason).toBe(`${type} cannot be folded: unknown event type ${type}`);
  });

  test('leaves a document without a body when it is the first one', async () => {
    const { eventStore, readModels } = createStores();
    await smuggle(eventStore, POLICY, { data: 'not even JSON' });
    const position = await appendSamples(eventStore, SECOND_TERM);
    await runTestProjector({ eventStore, readModels }, position);
    expect(await readModels.get('policies', sampleId('policy', 1))).toMatchObject({
      body: undefined,
      stream: POLICY,
      revision: -1,
      position: 1n,
      order: logOrder(1n),
      indexes: { owner: null, test_mode: null },
      parked: { position: 1n },
    });
    expect((await readModels.find('policies', { limit: 10, offset: 0 })).count).toBe(0);
  });

  test('gives a reason with the name of the error, without its message', async () => {
    const { eventStore, readModels, lines } = createStores();
    const position = await appendSamples(eventStore, sample.policyImported(1, 1), SECOND_TERM);
    const projections = faulty((type) => {
      if (type === 'PolicyTermImported') throw new RangeError('not an amount: Jane Doe');
    });
    await runTestProjector({ eventStore, readModels, projections, lines }, position);
    const document = await readModels.get('policies', sampleId('policy', 1));
    expect(document?.parked?.reason).toBe('PolicyTermImported.v1 cannot be folded: RangeError');
    expect(JSON.stringify(lines)).not.toContain('Jane');
    expect(JSON.stringify(lines)).toContain('parking.test.ts');
  });

  test('keeps the view of a document that was stored before', async () => {
    const { eventStore, readModels } = createStores();
    const projections = faulty((type) => {
      if (type === 'PolicyTermImported') throw new Error('a fault');
    });
    await runTestProjector(
      { eventStore, readModels, projections },
      await appendSamples(eventStore, sample.policyImported(1, 1)),
    );
    const before = await readModels.getView('policies', sampleId('policy', 1));
    await runTestProjector({ eventStore, readModels, projections }, await appendSamples(eventStore, SECOND_TERM));
    const after = await readModels.getView('policies', sampleId('policy', 1));
    expect(after).toMatchObject({ view: before?.view, parked: { position: 2n } });
    expect(before?.view?.json).toContain('"premium":"100.00"');
  });

  test('parks a document whose indexes throw or that is not JSON at the event that causes it', async () => {
    const { eventStore, readModels } = createStores();
    const position = await appendSamples(
      eventStore,
      sample.policyImported(1, 1),
      SECOND_TERM,
      sample.policyCancelled(1, 1),
    );
    const projections: AnyProjection[] = [
      {
        ...policies,
        indexes: ({ policy }: PolicyDocument) => {
          if (policy.terms.at(-1)?.premium === '120.00') throw new FoldError('no index for this premium');
          return { owner: null, test_mode: null };
        },
      },
    ];
    await runTestProjector({ eventStore, readModels, projections }, position);
    expect(await readModels.get('policies', sampleId('policy', 1))).toMatchObject({
      body: expect.stringContaining('"premium":"100.00"'),
      stream: POLICY,
      revision: 0,
      position: 2n,
      parked: { reason: 'PolicyTermImported.v1 cannot be folded: no index for this premium', position: 2n },
    });
  });

  test('in a stream whose name ends at its dash is counted, logged and skipped', async () => {
    const { eventStore, readModels, lines } = createStores();
    await appendSamples(eventStore, sample.customerRegistered(1), sample.policyImported(1, 1));
    await smuggle(eventStore, 'policy-', {});
    const position = await appendSamples(eventStore, sample.customerRegistered(2));
    const projector = await startTestProjector({ eventStore, readModels, lines });
    await waitForPosition(projector, position);
    // Those of policies, of transactions, of events and of terms.
    expect(projector.status().unroutable).toBe(4);
    await projector.stop();
    expect(await readModels.get('customers', sampleId('customer', 2))).toBeDefined();
    expect(await readModels.get('policies', '')).toBeUndefined();
  });
});

describe('retrying a parked document', () => {
  test('restores the complete document when the cause was removed', async () => {
    const { eventStore, readModels } = createStores();
    let isBroken = true;
    const projections = faulty((type) => {
      if (isBroken && type === 'PolicyTermImported') throw new Error('a fault');
    });
    await appendSamples(eventStore, sample.policyImported(1, 1), SECOND_TERM);
    const last = await appendSamples(eventStore, sample.policyCancelled(1, 1));
    const projector = await startTestProjector({ eventStore, readModels, projections });
    await waitForPosition(projector, last);
    expect(projector.status().collections[0]?.parked).toBe(1);
    isBroken = false;
    await waitForPosition(
      projector,
      await appendSamples(eventStore, sample.retryRequested('policies', sampleId('policy', 1))),
    );
    expect(projector.status().collections[0]?.parked).toBe(0);
    await projector.stop();
    const mended = await readModels.get('policies', sampleId('policy', 1));
    expect(mended).toMatchObject({ parked: undefined, revision: 2, position: last });
    const fresh = openTestReadModels();
    await runTestProjector({ eventStore, readModels: fresh, projections });
    expect(await readAllDocuments(readModels, projections)).toEqual(await readAllDocuments(fresh, projections));
  });

  test('parks it again with the current reason when the cause remains', async () => {
    const { eventStore, readModels } = createStores();
    let fault = new FoldError('the first fault');
    const projections = faulty((type) => {
      if (type === 'PolicyTermImported') throw fault;
    });
    const projector = await startTestProjector({ eventStore, readModels, projections });
    await waitForPosition(projector, await appendSamples(eventStore, sample.policyImported(1, 1), SECOND_TERM));
    fault = new FoldError('another fault');
    await waitForPosition(
      projector,
      await appendSamples(eventStore, sample.retryRequested('policies', sampleId('policy', 1))),
    );
    expect(projector.status().collections[0]?.parked).toBe(1);
    const document = await readModels.get('policies', sampleId('policy', 1));
    expect(document?.parked?.reason).toBe('PolicyTermImported.v1 cannot be folded: another fault');
    expect(JSON.parse(document?.body ?? '')).toMatchObject({ policy: { terms: [{ premium: '100.00' }] } });
    await projector.stop();
  });

  test('changes nothing when the document is not parked or does not exist', async () => {
    const { eventStore, readModels, lines } = createStores();
    const position = await appendSamples(eventStore, sample.policyImported(1, 1));
    await runTestProjector({ eventStore, readModels, projections: [policies] }, position);
    const before = await readAllDocuments(readModels, [policies]);
    await appendSamples(eventStore, sample.retryRequested('policies', sampleId('policy', 1)));
    await appendSamples(eventStore, sample.retryRequested('policies', 'no such key'));
    await appendSamples(eventStore, sample.retryRequested('no such collection', 'no such key'));
    await runTestProjector({ eventStore, readModels, projections: [policies], lines });
    expect(await readAllDocuments(readModels, [policies])).toEqual(before);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });
});

describe('a document with a gap', () => {
  test('is folded from its stream when it has missed events', async () => {
    const { eventStore, readModels, lines } = createStores();
    await runTestProjector(
      { eventStore, readModels },
      await appendSamples(eventStore, sample.customerRegistered(1), sample.policyImported(1, 1)),
    );
    const early = await readModels.get('policies', sampleId('policy', 1));
    await runTestProjector({ eventStore, readModels }, await appendSamples(eventStore, SECOND_TERM));
    if (early !== undefined) readModels.put('policies', early);
    await runTestProjector(
      { eventStore, readModels, lines },
      await appendSamples(eventStore, sample.policyCancelled(1, 1)),
    );
    expect((await verifyDocuments({ eventStore, readModels, projections: PROJECTIONS })).differences).toEqual([]);
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  test('is folded from its stream when it was deleted', async () => {
    const { eventStore, readModels } = createStores();
    await runTestProjector(
      { eventStore, readModels },
      await appendSamples(eventStore, sample.customerRegistered(1), sample.policyImported(1, 1)),
    );
    readModels.remove('policies', sampleId('policy', 1));
    await runTestProjector({ eventStore, readModels }, await appendSamples(eventStore, SECOND_TERM));
    expect((await verifyDocuments({ eventStore, readModels, projections: PROJECTIONS })).differences).toEqual([]);
  });

  test('is folded from its stream when its stored body is damaged', async () => {
    const { eventStore, readModels } = createStores();
    await runTestProjector(
      { eventStore, readModels },
      await appendSamples(eventStore, sample.customerRegistered(1), sample.policyImported(1, 1)),
    );
    const stored = await readModels.get('policies', sampleId('policy', 1));
    if (stored !== undefined) readModels.put('policies', { ...stored, body: '{"view":' });
    await runTestProjector({ eventStore, readModels }, await appendSamples(eventStore, SECOND_TERM));
    expect((await verifyDocuments({ eventStore, readModels, projections: PROJECTIONS })).differences).toEqual([]);
  });

  test('is parked when the start of its stream is missing', async () => {
    const { eventStore, readModels } = createStores();
    const position = await appendSamples(eventStore, sample.policyImported(1, 1), SECOND_TERM);
    const readStream = eventStore.readStream.bind(eventStore);
    eventStore.readStream = async (stream) => await readStream(stream, { from: 1 });
    const readAll = eventStore.readAll.bind(eventStore);
    eventStore.readAll = async ({ after, limit }) => await readAll({ after: after ?? 1n, limit });
    await runTestProjector({ eventStore, readModels, projections: [policies] }, position);
    expect((await readModels.get('policies', sampleId('policy', 1)))?.parked).toMatchObject({
      reason: 'an event before revision 1 of its stream is missing',
      position: 2n,
    });
  });
});

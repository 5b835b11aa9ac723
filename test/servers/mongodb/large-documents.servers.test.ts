import { expect, test } from '@jest/globals';
import { policies } from '../../../projections/policies/policies.ts';
import type { AnyProjection } from '../../../projections/projection.ts';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import * as sample from '../../support/sample-events.ts';
import { MemoryEventStore } from '../../support/memory-event-store.ts';
import { waitForPosition, startTestProjector } from '../../support/test-projector.ts';
import { describeOnMongodb, testDatabase } from '../support/mongodb.ts';

describeOnMongodb('A document above the size limit of MongoDB', (server) => {
  test('is parked, and the projector continues', async () => {
    const { url, drop } = testDatabase(server);
    const readModels = openMongoReadModels({ url });
    const eventStore = new MemoryEventStore();
    const fold: typeof policies.fold = (document, event) => {
      const ballast = event.type === 'PolicyTermImported' ? 'x'.repeat(17_000_000) : '';
      return { ...policies.fold(document, event), ballast } as never;
    };
    const projections: readonly AnyProjection[] = [{ ...policies, fold }];
    const second = sample.policyTermImported(1, 1, sample.term('2026-01-01', '2026-12-31', '120.00'));
    const position = await sample.appendSamples(eventStore, sample.policyImported(1, 1), second);
    const projector = await startTestProjector({ eventStore, readModels, projections });
    await waitForPosition(projector, position);
    expect(projector.status().failure).toBeUndefined();
    await projector.stop();
    const parked = await readModels.get('policies', sample.sampleId('policy', 1));
    expect(parked?.parked).toMatchObject({ eventType: 'PolicyTermImported.v1' });
    await readModels.close();
    await drop();
  });
});

import { expect, test } from '@jest/globals';
import { policies } from '../../../projections/policies/policies.ts';
import type { AnyProjection } from '../../../projections/projection.ts';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import * as happening from '../../support/happenings.ts';
import { MemoryEventStore } from '../../support/memory-event-store.ts';
import { waitForPosition, projecting } from '../../support/projector-world.ts';
import { describeOnMongodb, testDatabase } from '../support/mongodb.ts';

describeOnMongodb('a document that is larger than MongoDB takes', (server) => {
  test('is parked, and the projector goes on', async () => {
    const { url, drop } = testDatabase(server);
    const readModels = openMongoReadModels({ url });
    const eventStore = new MemoryEventStore();
    const fold: typeof policies.fold = (document, event) => {
      const ballast = event.type === 'PolicyTermImported' ? 'x'.repeat(17_000_000) : '';
      return { ...policies.fold(document, event), ballast } as never;
    };
    const projections: readonly AnyProjection[] = [{ ...policies, fold }];
    const second = happening.policyTermImported(1, 1, happening.term('2026-01-01', '2026-12-31', '120.00'));
    const position = await happening.happen(eventStore, happening.policyImported(1, 1), second);
    const projector = await projecting({ eventStore, readModels, projections });
    await waitForPosition(projector, position);
    expect(projector.status().failure).toBeUndefined();
    await projector.stop();
    const parked = await readModels.get('policies', happening.idFor('policy', 1));
    expect(parked?.parked).toMatchObject({ eventType: 'PolicyTermImported.v1' });
    await readModels.close();
    await drop();
  });
});

import { expect, test } from '@jest/globals';
import { transactions } from '../projections/transactions/transactions.ts';
import { policyImported, sampleId, term, toRecorded } from '../test/support/sample-events.ts';
import { MemoryReadModels } from '../test/support/memory-read-models.ts';
import type { QueryContext } from './query.ts';
import { readTransactionPage } from './transactions.ts';

/** Policies of one customer; the first policy is the newest document and the last in the log. */
const POLICIES = 2_500;

test('merges the documents of a large customer in the order of the log', async () => {
  const readModels = new MemoryReadModels();
  await readModels.open([{ name: 'transactions', version: 1, indexes: transactions.indexNames }]);
  const samples = Array.from({ length: POLICIES }, (_, number) =>
    policyImported(1, number, term('2026-01-01', '2026-12-31', `${number + 1}.00`)),
  );
  const documents = toRecorded(...samples).map((event, index) => {
    const document = transactions.fold(undefined, event);
    if (document === undefined) throw new Error('a policy has a document');
    return {
      key: document.policy_id,
      body: JSON.stringify(document),
      streams: { [event.stream]: 0 },
      position: event.position,
      createdAt: new Date(Date.UTC(2026, 0, 1) - index * 1000).toISOString(),
      indexes: transactions.indexes(document),
      parked: undefined,
    };
  });
  await readModels.write('transactions', documents, BigInt(POLICIES));
  let turns = 0;
  const context = { readModels, nextTurn: async () => void (turns += 1) } as unknown as QueryContext;
  const page = await readTransactionPage(context, { customer: sampleId('customer', 1) }, { limit: 3, offset: 2_400 });
  expect(page.count).toBe(POLICIES);
  const results = JSON.parse(page.results) as { readonly amount: string; readonly currency: string }[];
  expect(results.map(({ amount }) => amount)).toEqual(['2401.00', '2402.00', '2403.00']);
  expect(turns).toBe(2);
  const none = await readTransactionPage(context, { customer: sampleId('customer', 2) }, { limit: 3, offset: 0 });
  expect(none).toMatchObject({ count: 0, results: '[]' });
});

import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { withCachedReferences } from '#cli/import/cached-references.ts';
import { importLocally, type RowOutcome } from '#cli/import/import-row.ts';
import { platformCommands } from '#cli/platform-commands.ts';
import { appendTo, type EventStore } from '#stores/event-log/event-log.ts';
import { openTemporaryEventStore } from '../ports/support/sqlite-event-store.ts';
import { CommandHarness, LIVE } from '../support/command-harness.ts';
import { givenMerchants, policyRow } from '../support/imports.ts';

const policies = fc.record({
  policy_number: fc.constantFrom('P-1', 'P-2', 'p-2', 'P-3'),
  product_name: fc.constantFrom('Motor', 'Fleet'),
  customer_reference: fc.constantFrom('C-1', 'c-1', 'C-2'),
  customer_name: fc.constantFrom('Ada Obi', 'Bola Ade'),
  customer_email: fc.constantFrom('a@x.example', 'b@x.example'),
  year: fc.constantFrom('2024', '2025', '2026'),
  cancelled: fc.boolean(),
});

const rows = policies.map(({ year, cancelled, ...row }) => ({
  command: 'ImportPolicyTerm' as const,
  body: policyRow({
    ...row,
    term_from: `${year}-01-01`,
    term_through: `${year}-12-31`,
    ...(cancelled ? { cancelled_on: `${year}-02-01` } : {}),
  }),
}));

const claims = fc.record({ reference: fc.constantFrom('L-1', 'L-2'), policy: fc.constantFrom('P-1', 'P-2') });
const claimRows = claims.map(({ reference, policy }) => ({
  command: 'ImportClaim' as const,
  body: {
    claim_reference_number: reference,
    policy_number: policy,
    claim_type: 'fire',
    incident_date: '2025-01-15',
    filed_on: '2025-01-16',
    claim_amount: '10.00',
    claim_status: 'pending',
  },
}));

/** Imports the rows one after another, with a commit after each batch of these sizes, and returns the stored events. */
async function importBook(
  book: readonly { readonly command: 'ImportPolicyTerm' | 'ImportClaim'; readonly body: Record<string, string> }[],
  sizes: readonly number[],
): Promise<{ readonly outcomes: readonly RowOutcome[]; readonly log: readonly unknown[] }> {
  const harness = new CommandHarness();
  await givenMerchants(harness);
  const subject = await openTemporaryEventStore();
  try {
    for (const { stream, revision, ...event } of await harness.eventStore.readAll({ after: undefined, limit: 1_000 }))
      await appendTo(subject.store, stream, revision === 0 ? 'no_stream' : revision - 1, [event]);
    const ports = withCachedReferences({ ...harness.ports, eventStore: subject.store });
    const importRow = importLocally(platformCommands(ports, 'import'), 0);
    const outcomes: RowOutcome[] = [];
    await requireBatches(subject.store)(async (commit) => {
      const left = [...sizes];
      let batch = left.shift();
      for (const { command, body } of book) {
        outcomes.push(await importRow(command, { ...body, environment_id: LIVE.environmentId }));
        if (batch !== undefined && --batch > 0) continue;
        await commit();
        batch = left.shift();
      }
      await commit();
    });
    const reopened = await subject.reopen();
    return { outcomes, log: JSON.parse(JSON.stringify(await reopened.readAll({ after: undefined, limit: 1_000 }))) };
  } finally {
    await subject.dispose();
  }
}

function requireBatches({ inBatches }: EventStore): NonNullable<EventStore['inBatches']> {
  if (inBatches === undefined) throw new Error('the store has no batches');
  return inBatches;
}

test('A book that is imported in batches of any size has the same events as one that is imported row by row', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 4, arbitrary: rows }, claimRows), { minLength: 2, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      async (book, sizes) => {
        expect(await importBook(book, sizes)).toEqual(await importBook(book, []));
      },
    ),
    { numRuns: 40 },
  );
});

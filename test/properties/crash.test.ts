import { describe, expect, test } from '@jest/globals';
import { importClaim } from '#commands/claim/import-claim.ts';
import { reviewClaim } from '#commands/claim/claim-moves.ts';
import { submitClaim } from '#commands/claim/submit-claim.ts';
import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import { cancelPolicy } from '#commands/policy/cancel-policy.ts';
import { importPolicyTerm } from '#commands/policy/import-policy-term.ts';
import { purchasePolicy } from '#commands/policy/purchase-policy.ts';
import { renewPolicy } from '#commands/policy/renew-policy.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { givenMerchants, importRow, policyRow } from '../support/imports.ts';
import { CommandHarness, LIVE } from '../support/command-harness.ts';
import { CUSTOMER, givenQuotes, type QuoteNames } from '../support/quotes.ts';
import { interceptAppends } from '../support/intercept-appends.ts';

class Crash extends Error {}

/** Prerequisites of commands. */
interface Scene {
  readonly claimId: string;
  /** Requested for a customer with a new e-mail, and for one with a policy. */
  readonly quotes: { readonly new?: QuoteNames | undefined; readonly known?: QuoteNames | undefined };
}

/** Creates a policy with a claim, and two quotes. */
async function createScene(): Promise<Scene & { readonly harness: CommandHarness }> {
  const harness = new CommandHarness();
  await givenMerchants(harness);
  await importRow(harness);
  const claim_details = { claim_type: 'theft', incident_date: '2026-02-01' };
  const { result } = await harness.run(submitClaim, { policy_number: 'POL-1', claim_details });
  const customer = { ...CUSTOMER, email: policyRow().customer_email };
  const [knownCustomerQuote] = await givenQuotes(harness.eventStore, LIVE, { request: { customer } });
  const [newCustomerQuote] = await givenQuotes(harness.eventStore, LIVE, {
    request: { customer: { ...CUSTOMER, email: 'new@customers.example' } },
  });
  return { harness, claimId: result.claim_id as string, quotes: { new: newCustomerQuote, known: knownCustomerQuote } };
}

const claimRow = {
  claim_reference_number: 'REF-1',
  policy_number: 'POL-1',
  claim_type: 'tpl',
  incident_date: '2026-01-05',
  filed_on: '2026-01-06',
  claim_amount: '1',
  claim_status: 'paid',
};

/** Every kind of write with its number of appends, including the idempotency record. */
const CASES: readonly (readonly [string, AnyCommand, (scene: Scene) => object, string | undefined, number])[] = [
  [
    'a renewal',
    renewPolicy,
    () => ({ policy_number: 'POL-1', preferred_policy_start_date: '2027-01-01', policy_duration: 30 }),
    'k',
    2,
  ],
  ['a cancellation', cancelPolicy, () => ({ policy_number: 'POL-1', cancellation_reason: 'sold' }), 'k', 2],
  [
    'a claim',
    submitClaim,
    () => ({ policy_number: 'POL-1', claim_details: { claim_type: 'fire', incident_date: '2026-02-02' } }),
    'k',
    4,
  ],
  ['a move', reviewClaim, ({ claimId }) => ({ claim_id: claimId, note: 'look' }), 'k', 2],
  ['a purchase for a known customer', purchasePolicy, ({ quotes }) => ({ ...quotes.known }), 'k', 4],
  ['a purchase for a new customer', purchasePolicy, ({ quotes }) => ({ ...quotes.new, auto_renew: true }), 'k', 6],
  [
    'a purchase that gives a customer a reference',
    purchasePolicy,
    ({ quotes }) => ({ ...quotes.known, customer_reference: 'C-1' }),
    'k',
    4,
  ],
  [
    'a purchase for a new customer with a reference',
    purchasePolicy,
    ({ quotes }) => ({ ...quotes.new, customer_reference: 'C-2' }),
    'k',
    7,
  ],
  [
    'an additional term',
    importPolicyTerm,
    () => policyRow({ term_from: '2027-01-01', term_through: '2027-12-31' }),
    undefined,
    1,
  ],
  ['a new policy of a known customer', importPolicyTerm, () => policyRow({ policy_number: 'POL-2' }), undefined, 2],
  [
    'a new policy with everything new',
    importPolicyTerm,
    () =>
      policyRow({
        policy_number: 'POL-3',
        provider_name: 'New',
        customer_reference: 'C-3',
        customer_name: 'Bola Ade',
        customer_email: 'new@customers.example',
      }),
    undefined,
    9,
  ],
  ['an imported claim', importClaim, () => claimRow, undefined, 3],
];

const crashPoints = CASES.flatMap(([title, command, input, key, appends]) =>
  Array.from({ length: appends }, (_, appendNumber) => appendNumber + 1).flatMap((appendNumber) =>
    (['before', 'after'] as const).map((when) => [title, when, appendNumber, command, input, key] as const),
  ),
);

/** A crash before or after an append; the caller gets no response. */
function crashAt(harness: CommandHarness, when: 'before' | 'after', appendNumber: number): () => void {
  let appends = 0;
  return interceptAppends(harness.eventStore, async (append) => {
    appends += 1;
    if (appends > appendNumber || (appends === appendNumber && when === 'before')) throw new Crash();
    const result = await append();
    if (appends >= appendNumber) throw new Crash();
    return result;
  });
}

/** Removes the times of an append. */
const withoutTimes = ({ stream, revision, id, type, data }: RecordedEvent) => ({ stream, revision, id, type, data });
const compareByStream = (a: RecordedEvent, b: RecordedEvent) => (a.stream < b.stream ? -1 : 1);

describe('A process that crashes while it executes a command', () => {
  test.each(crashPoints)('executes %s once after a crash %s append %i and a retry', async (...point) => {
    const [, when, appendNumber, command, input, key] = point;
    const options = { environment: command.inEnvironment ? LIVE : undefined, ...(key === undefined ? {} : { key }) };
    const reference = await createScene();
    await reference.harness.run(command, input(reference), options);

    const scene = await createScene();
    const { harness } = scene;
    const restore = crashAt(harness, when, appendNumber);
    await expect(harness.run(command, input(scene), options)).rejects.toBeInstanceOf(Crash);
    restore();
    const outcome = await harness.run(command, input(scene), options);
    const again = await harness.run(command, input(scene), options);

    const [log, wanted] = [await harness.log(), await reference.harness.log()];
    const own = (event: RecordedEvent) =>
      event.metadata.command.id === outcome.commandId && !event.stream.startsWith('idempotency-');
    expect(log.filter(own).sort(compareByStream).map(withoutTimes)).toEqual(
      wanted.filter(own).sort(compareByStream).map(withoutTimes),
    );
    expect(log).toHaveLength(wanted.length);
    expect(again).toMatchObject({ replayed: true, result: outcome.result, revision: outcome.revision });
  });

  test('the crash points cover all appends', async () => {
    for (const [title, command, input, key, appends] of CASES) {
      const scene = await createScene();
      const { harness } = scene;
      const before = (await harness.log()).length;
      const options = { environment: command.inEnvironment ? LIVE : undefined, ...(key === undefined ? {} : { key }) };
      const { events } = await harness.run(command, input(scene), options);
      const several = events.length - 1;
      expect([title, (await harness.log()).length - before - several]).toEqual([title, appends]);
    }
  });
});

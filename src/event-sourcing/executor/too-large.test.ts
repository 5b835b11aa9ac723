import { beforeEach, expect, test } from '@jest/globals';
import { derivedId, reservationStream } from '../identifiers.ts';
import { policyStream } from '#domain/policy/policy.ts';
import { productStream } from '#domain/product/product.ts';
import { merchantScope } from '#domain/reservations.ts';
import { bytesOf, MAX_APPEND_BYTES } from '#stores/event-log/event-log.ts';
import { PRODUCT_INPUT, setUpProvider } from '#test/support/admin-fixtures.ts';
import { CommandHarness, LIVE } from '#test/support/command-harness.ts';
import { givenMerchants, importPolicy, policyRow } from '#test/support/imports.ts';
import { givenQuote } from '#test/support/quotes.ts';
import { NOTES, writeNumberedNote } from '#test/support/toy-commands.ts';
import { submitClaim } from '#commands/claim/submit-claim.ts';
import { importPolicyTerm } from '#commands/policy/import-policy-term.ts';
import { purchasePolicy } from '#commands/policy/purchase-policy.ts';
import { addProduct } from '#commands/product/add-product.ts';
import type { AnyCommand } from './command.ts';

let harness: CommandHarness;
beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

/** Appends a policy whose holder almost fills an event, so that the events of its claims are too large. */
async function givenPolicyOfLongName(): Promise<{ readonly policyId: string; readonly policyNumber: string }> {
  const { stream } = await importPolicy(harness);
  const imported = await harness.data(stream, 0);
  const [policyId, policyNumber] = [derivedId('test', 'long name'), 'POL-LONG'];
  const { product } = imported as { readonly product: object };
  const longName = 'x'.repeat(MAX_APPEND_BYTES - 1600);
  const data = { ...imported, policyId, policyNumber, product: { ...product, name: longName } };
  await harness.given(policyStream(policyId), { type: 'PolicyImported', data });
  const scope = merchantScope(LIVE);
  const reserved = await harness.data(reservationStream('policyNumber', scope, 'POL-1'), 0);
  const reservation = { ...reserved, value: policyNumber, target: policyStream(policyId) };
  await harness.given(reservationStream('policyNumber', scope, policyNumber), {
    type: 'ValueReserved',
    data: reservation,
  });
  return { policyId, policyNumber };
}

const CLAIM = { claim_type: 'theft', incident_date: '2026-02-01' };

const CASES: readonly (readonly [string, AnyCommand, () => Promise<object>])[] = [
  [
    'PurchasePolicy of a quote with a large risk',
    purchasePolicy,
    async () => {
      const additionalInformation = { notes: 'x'.repeat(MAX_APPEND_BYTES - 4000) };
      const { quote_code } = await givenQuote(harness.eventStore, LIVE, {}, { additionalInformation });
      const beneficiary = { beneficiary_name: 'Ben '.repeat(60).trim() };
      return { quote_code, beneficiaries: Array.from({ length: 20 }, () => beneficiary) };
    },
  ],
  [
    'SubmitClaim under a policy of a product with a large name',
    submitClaim,
    async () => {
      const { policyId } = await givenPolicyOfLongName();
      return { policy_id: policyId, claim_details: { ...CLAIM, incident_description: 'x'.repeat(5000) } };
    },
  ],
  [
    'ImportPolicyTerm of a product with large coverages',
    importPolicyTerm,
    async () => {
      const { stream } = await importPolicy(harness);
      const { product } = (await harness.data(stream, 0)) as { readonly product: { readonly id: string } };
      const added = await harness.data(productStream(product.id), 0);
      const { productId, providerId, visibility } = added;
      const coverage = {
        coverageId: 'COV_1',
        name: 'x'.repeat(900_000),
        description: null,
        type: null,
        limit: null,
        deductible: null,
      };
      const data = { productId, providerId, visibility, changes: { coverages: [coverage] } };
      await harness.given(productStream(product.id), { type: 'ProductUpdated', data });
      const risks = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`risk_${index}`, 'Ω'.repeat(500)]));
      return policyRow({ policy_number: 'POL-2', customer_email: 'eve@customers.example', ...risks });
    },
  ],
  [
    'AddProduct with more than half of an append',
    addProduct,
    async () => {
      const coverages = Array.from({ length: 100 }, (_, index) => ({
        coverage_name: `Coverage ${index}`,
        coverage_description: 'Ω'.repeat(2000),
      }));
      const tiers = ['Gold', 'Silver'].map((name) => ({ tier_name: name, base_premium: '1', coverages }));
      return { provider_id: await setUpProvider(harness), ...PRODUCT_INPUT, tiers };
    },
  ],
];

test.each(CASES)('%s is refused and writes nothing', async (_name, command, prepare) => {
  const input = await prepare();
  const before = await harness.log();
  const refusal = await harness.expectRefusal(command, input, { key: 'k' });
  expect(refusal.code).toBe('event_too_large');
  expect((await harness.log()).slice(before.length).map(({ stream }) => stream)).toEqual([]);
});

test('A number may have more digits than its first candidate', async () => {
  for (let count = 0; count < 9; count++) await harness.run(writeNumberedNote, { text: 'x' });
  const [note] = await harness.eventStore.readStream(NOTES, { limit: 1 });
  if (note === undefined) throw new Error('there is no note');
  const longest = MAX_APPEND_BYTES - 1024 - bytesOf(note) + 1;
  const before = await harness.log();
  const tooLong = { text: 'x'.repeat(longest + 1) };
  expect(await harness.expectRefusal(writeNumberedNote, tooLong, { key: 'k' })).toMatchObject({
    code: 'event_too_large',
  });
  expect(await harness.log()).toEqual(before);
  const { result } = await harness.run(writeNumberedNote, { text: 'x'.repeat(longest) }, { key: 'k' });
  expect(result.text).toMatch(/x 10$/);
});

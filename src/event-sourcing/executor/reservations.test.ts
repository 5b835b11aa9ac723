import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { categoryOf } from '../aggregate.ts';
import type { EventOf } from '../event.ts';
import { sha256 } from '../identifiers.ts';
import { ValueReserved } from '#domain/reservations.ts';
import { MERCHANT_INPUT, PROVIDER_INPUT } from '#test/support/admin-fixtures.ts';
import { givenMerchants, importPolicy, importRow, policyRow } from '#test/support/imports.ts';
import { CommandHarness, LIVE, TEST } from '#test/support/command-harness.ts';
import { submitClaim } from '#commands/claim/submit-claim.ts';
import { registerMerchant } from '#commands/merchant/register-merchant.ts';
import { registerProvider } from '#commands/provider/register-provider.ts';

type Reserved = EventOf<typeof ValueReserved>['data'];

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

/** The data of the reservations of a command. */
async function reservationsOf(commandName: string): Promise<Reserved[]> {
  const log = await harness.log();
  const own = log.filter(({ type, metadata }) => type === ValueReserved.type && metadata.command.name === commandName);
  return own.map(({ data }) => data as Reserved);
}

describe('A reservation', () => {
  test('stores the input of a platform command and no environment', async () => {
    await harness.run(registerMerchant, MERCHANT_INPUT);
    const reservations = await reservationsOf('RegisterMerchant');
    expect(reservations).toMatchObject([{ kind: 'shortCode', input: MERCHANT_INPUT, environment: null }]);
  });

  test('stores the environment of the key of a merchant', async () => {
    await harness.run(registerProvider, PROVIDER_INPUT, { environment: TEST });
    for (const each of await reservationsOf('RegisterProvider'))
      expect(each).toMatchObject({ input: PROVIDER_INPUT, environment: TEST });
  });

  test('and every other event of a claim submission has the tags of the merchant and its mode', async () => {
    const { policyId } = await importPolicy(harness, {}, { environment: TEST });
    const submission = { policy_id: policyId, claim_details: { claim_type: 'theft', incident_date: '2026-02-01' } };
    await harness.run(submitClaim, submission, { environment: TEST, key: 'k' });
    const log = (await harness.log()).filter(({ metadata }) => metadata.command.name === 'SubmitClaim');
    const categories = log.map(({ stream }) => categoryOf(stream));
    expect(categories).toEqual(['idempotency', 'sequence', 'claimReference', 'claim']);
    for (const { metadata } of log) expect(metadata).toMatchObject({ merchant: TEST.merchantId, testMode: true });
  });

  test('of an import stores the whole row', async () => {
    await importRow(harness);
    const reservations = await reservationsOf('ImportPolicyTerm');
    expect(reservations.map(({ kind }) => kind)).toEqual(['policyNumber', 'providerName', 'productName']);
    for (const each of reservations) expect(each).toMatchObject({ input: policyRow(), environment: LIVE });
  });

  test('of an import is appended with all else that a row records in one call', async () => {
    const append = jest.spyOn(harness.eventStore, 'append');
    await importRow(harness);
    const [appends = []] = append.mock.calls[0] ?? [];
    expect(append).toHaveBeenCalledTimes(1);
    expect(appends.map(({ stream }) => categoryOf(stream))).toEqual([
      'customerIdentity',
      'customerReference',
      'policyNumber',
      'customer',
      'providerName',
      'provider',
      'productName',
      'product',
      'policy',
    ]);
  });

  test('stores the hashes and sizes of documents instead of their content', async () => {
    const { policyId } = await importPolicy(harness);
    const document = { document_name: 'report.pdf', evidence_type: 'PDF' };
    const submission = { policy_id: policyId, claim_details: { claim_type: 'theft', incident_date: '2026-02-01' } };
    const blob = Buffer.from('what happened').toString('base64');
    await harness.run(submitClaim, { ...submission, documents: [{ ...document, blob }] });
    const documents = [
      { ...document, sha256: sha256('what happened'), bytes: 13, content_type: 'application/octet-stream' },
    ];
    const [reservation] = await reservationsOf('SubmitClaim');
    expect(reservation).toMatchObject({ kind: 'claimReference', environment: LIVE });
    expect(reservation?.input).toEqual({ ...submission, documents });
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import { categoryOf } from '../event-sourcing/aggregate.ts';
import type { EventOf } from '../event-sourcing/event.ts';
import { sha256 } from '../event-sourcing/identifiers.ts';
import { ValueReserved } from '../domain/reservations.ts';
import { MERCHANT_INPUT, PROVIDER_INPUT } from '../../test/support/back-office.ts';
import { givenMerchants, importedPolicy, importRow, policyRow } from '../../test/support/book.ts';
import { CommandHarness, LIVE, TEST } from '../../test/support/command-harness.ts';
import { submitClaim } from '../../commands/claim/submit-claim.ts';
import { registerMerchant } from '../../commands/merchant/register-merchant.ts';
import { registerProvider } from '../../commands/provider/register-provider.ts';

type Reserved = EventOf<typeof ValueReserved>['data'];

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

/** What a command's reservations carry, with which anybody can finish it under the id that stands in their metadata. */
async function carriedBy(commandName: string): Promise<Reserved[]> {
  const log = await harness.log();
  const own = log.filter(({ type, metadata }) => type === ValueReserved.type && metadata.command.name === commandName);
  return own.map(({ data }) => data as Reserved);
}

describe('Given a command that reserves values', () => {
  test('when the platform runs it, then each reservation carries its input, and no environment', async () => {
    await harness.run(registerMerchant, MERCHANT_INPUT);
    const carried = await carriedBy('RegisterMerchant');
    expect(carried).toMatchObject([{ kind: 'shortCode', input: MERCHANT_INPUT, environment: null }]);
  });

  test('when a merchant runs it, then each reservation carries the environment of its key', async () => {
    await harness.run(registerProvider, PROVIDER_INPUT, { environment: TEST });
    expect(await carriedBy('RegisterProvider')).toMatchObject([{ input: PROVIDER_INPUT, environment: TEST }]);
  });

  test('when a merchant files a claim with a key, then everything it writes names the merchant and its world', async () => {
    const { policyId } = await importedPolicy(harness, {}, { environment: TEST });
    const submission = { policy_id: policyId, claim_details: { claim_type: 'theft', incident_date: '2026-02-01' } };
    await harness.run(submitClaim, submission, { environment: TEST, key: 'k' });
    const log = (await harness.log()).filter(({ metadata }) => metadata.command.name === 'SubmitClaim');
    const categories = log.map(({ stream }) => categoryOf(stream));
    expect(categories).toEqual(['idempotency', 'sequence', 'claimReference', 'claim']);
    for (const { metadata } of log) expect(metadata).toMatchObject({ merchant: TEST.merchantId, testMode: true });
  });

  test('when a row is imported, then whatever it reserves carries the whole row', async () => {
    await importRow(harness);
    const carried = await carriedBy('ImportPolicyTerm');
    expect(carried.map(({ kind }) => kind)).toEqual(['policyNumber', 'providerName', 'productName']);
    for (const each of carried) expect(each).toMatchObject({ input: policyRow(), environment: LIVE });
  });

  test('when it brings documents, then their hash stands where their content stood', async () => {
    const { policyId } = await importedPolicy(harness);
    const told = { document_name: 'report.pdf', evidence_type: 'PDF' };
    const submission = { policy_id: policyId, claim_details: { claim_type: 'theft', incident_date: '2026-02-01' } };
    const blob = Buffer.from('what happened').toString('base64');
    await harness.run(submitClaim, { ...submission, documents: [{ ...told, blob }] });
    const documents = [{ ...told, sha256: sha256('what happened') }];
    const [carried] = await carriedBy('SubmitClaim');
    expect(carried).toMatchObject({ kind: 'claimReference', environment: LIVE });
    expect(carried?.input).toEqual({ ...submission, documents });
  });
});

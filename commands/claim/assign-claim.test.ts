import { beforeEach, expect, test } from '@jest/globals';
import { apiKeyStream } from '#domain/api-key/api-key.ts';
import { claimStream } from '#domain/claim/claim.ts';
import { personStream } from '#domain/person/person.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { givenMerchants, importPolicy } from '#test/support/imports.ts';
import { CommandHarness, invalidFields } from '#test/support/command-harness.ts';
import { assignClaim } from './assign-claim.ts';
import { submitClaim } from './submit-claim.ts';

let harness: CommandHarness;
let claimId: string;
let insurerId: string;
const personOf = (name: string) => derivedId('person', name);

async function givenPerson(name: string, rights: object): Promise<void> {
  const details = { name, merchant: null, providerId: null, authority: null, access: 'full', ...rights };
  const data = { personId: personOf(name), email: `${name}@surety.example`, ...details };
  await harness.given(personStream(personOf(name)), { type: 'PersonAdded', data });
}

async function givenKey(keyId: string, grant: object, changes: object = {}): Promise<void> {
  const data = { keyId, keyHash: 'a'.repeat(64), label: keyId, grant, personId: null, authority: null, access: 'full' };
  await harness.given(apiKeyStream(keyId), { type: 'ApiKeyIssued', data: { ...data, expiresAt: null, ...changes } });
}

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  const { policyId } = await importPolicy(harness);
  const claim_details = { claim_type: 'theft', incident_date: '2026-02-01', claim_amount: '100.00' };
  claimId = (await harness.run(submitClaim, { policy_id: policyId, claim_details })).result.claim_id as string;
  ({ id: insurerId } = (await harness.data(claimStream(claimId), 0))['insurer'] as { id: string });
});

const assign = async (assignee: string | null) =>
  (await harness.run(assignClaim, { claim_id: claimId, assignee })).events.map(({ data }) => data);

test('A claim is assigned to a person or a key of the platform or of its insurer, and to no one again', async () => {
  await givenPerson('ada', { role: 'claims' });
  await givenPerson('obi', { role: 'insurer', providerId: insurerId });
  await givenKey('desk', { role: 'admin' });
  for (const assignee of [personOf('ada'), personOf('obi'), 'desk', null])
    expect(await assign(assignee)).toMatchObject([{ assignee }]);
});

test('A key of a person stands for the person, and the same assignee records nothing', async () => {
  await givenPerson('ada', { role: 'claims' });
  await givenKey('laptop', { role: 'claims' }, { personId: personOf('ada') });
  expect(await assign('laptop')).toMatchObject([{ assignee: personOf('ada') }]);
  expect(await assign(personOf('ada').toUpperCase())).toEqual([]);
});

test('A claim is assigned to none that does not work it', async () => {
  await givenPerson('other insurer', { role: 'insurer', providerId: derivedId('provider', 'other') });
  await givenPerson('auditor', { role: 'auditor' });
  await givenPerson('removed', { role: 'claims' });
  await harness.given(personStream(personOf('removed')), {
    type: 'PersonRemoved',
    data: { personId: personOf('removed'), reason: 'left' },
  });
  await givenKey('till', { role: 'merchant', environmentId: 1, testMode: false, merchantId: personOf('merchant') });
  await givenKey('revoked', { role: 'claims' });
  await harness.given(apiKeyStream('revoked'), { type: 'ApiKeyRevoked', data: { keyId: 'revoked' } });
  await givenKey('expired', { role: 'claims' }, { expiresAt: harness.now });
  await givenKey('gone', { role: 'claims' }, { personId: personOf('removed') });
  const people = ['other insurer', 'auditor', 'removed', 'unknown'].map(personOf);
  for (const assignee of [...people, 'till', 'revoked', 'expired', 'gone', 'unknown']) {
    const refusal = await harness.expectRefusal(assignClaim, { claim_id: claimId, assignee });
    expect([assignee, refusal.code, invalidFields(refusal)]).toEqual([assignee, 'invalid_request', ['assignee']]);
  }
});

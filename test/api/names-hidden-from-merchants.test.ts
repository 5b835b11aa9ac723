import { expect, test } from '@jest/globals';
import { rolesOf } from '#http/reference/openapi/operations.ts';
import { runsCommand } from '#http/server/route.ts';
import { ADMIN_KEY } from '../support/api-service.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { documentedOperations, filledPath } from '../support/reference-examples.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const { provider_id } = await service.admin('RegisterProvider', {
  name: 'Imported Insurance',
  support_email: 'a@b.example',
  support_phone: '1',
});
const acme = await createMerchant(service, 'Acme');
const { live } = acme;

/** In the names, e-mail addresses and labels of the persons and keys that act here, and nowhere else. */
const MARK = 'zuri';

async function run(key: string, command: string, body: object): Promise<void> {
  const { status, text } = await service.send('POST', `/api/v1/admin/commands/${command}`, { key, body });
  if (status >= 300) throw new Error(`${command}: ${text}`);
}

async function keyOf(role: string, input: object = {}): Promise<string> {
  const person = { name: `Zuri ${role}`, email: `zuri.${role}@platform.example`, role, ...input };
  const { person_id } = await service.admin('AddPerson', person);
  return String((await service.admin('IssueApiKey', { person_id, label: `zuri of ${role}` })).api_key);
}

/**
 * Every person, and a key of none, changes a claim, the policy, the customer and the merchant as far as it may. Returns
 * the id of the key to which the claim is assigned.
 */
async function act(): Promise<string> {
  const claim = { claim_id: live.claimId };
  const note = async (key: string) => await run(key, 'AddClaimNote', { claim_id: live.claimId, text: 'Called' });
  const insurer = await keyOf('insurer', { provider_id });
  await run(insurer, 'ReviewClaim', { ...claim, note: 'Looks fine' });
  await note(insurer);
  const handler = await keyOf('claims');
  await run(handler, 'SendClaimForApproval', claim);
  const documents = [{ document_name: 'b', evidence_type: 'c', blob: 'Yg==' }];
  await run(handler, 'AddClaimDocuments', { ...claim, documents });
  await note(handler);
  const admin = await keyOf('admin');
  await run(admin, 'ApproveClaim', { ...claim, approved_amount: '80.00' });
  await run(admin, 'PayClaim', { ...claim, paid_amount: '30.00' });
  await note(admin);
  await run(admin, 'UpdateCustomer', { customer_id: live.customerId, address: '2 Marina' });
  await run(admin, 'UpdateMerchant', { short_code: acme.shortCode, address: '3 Marina' });
  await run(admin, 'IssueApiKey', { environment_id: live.environmentId, label: 'till' });
  await run(admin, 'CancelPolicy', {
    policy_id: live.policyId,
    environment_id: live.environmentId,
    cancellation_reason: 'Sold',
  });
  const { key_id, api_key } = await service.admin('IssueApiKey', { role: 'claims', label: 'zuri of the desk' });
  await note(String(api_key));
  await run(admin, 'AssignClaim', { ...claim, assignee: key_id });
  return String(key_id);
}

test('A merchant reads no name, e-mail address or label of who works for the platform or an insurer', async () => {
  const assignee = await act();
  const ids: Readonly<Record<string, string>> = {
    'policies/': live.policyId,
    'customers/': live.customerId,
    'claims/': live.claimId,
    'merchants/': acme.shortCode,
    'environments/': String(live.environmentId),
    'quotes/': live.quoteCode,
    'documents/': 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
  };
  const withoutExample = ['products/'];
  const reads = [...documentedOperations(service).values()].filter(
    (one) => one.route.method === 'GET' && !runsCommand(one.route) && rolesOf(one)?.includes('merchant'),
  );
  const bodies: string[] = [];
  for (const { path, id } of reads) {
    const parameters = [...path.matchAll(/(\w+\/)\{(\w+)\}/g)].map(([, before = '', name = '']) => [name, before]);
    if (parameters.some(([, before = '']) => withoutExample.includes(before))) continue;
    const query = id === 'SearchProviders' ? '?name=imported' : '';
    const url = filledPath(path, Object.fromEntries(parameters.map(([name, before = '']) => [name, ids[before]])));
    for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
      const { status, text } = await service.send('GET', `${url}${query}`, {
        key: live.key,
        headers: { Accept: accept },
      });
      if (status === 406 && accept !== 'application/json') continue;
      expect([id, accept, status]).toEqual([id, accept, 200]);
      for (const hidden of [MARK, assignee.toLowerCase()])
        expect([id, hidden, text.toLowerCase().includes(hidden)]).toEqual([id, hidden, false]);
      bodies.push(text);
    }
  }
  // The walk is about what they did, also in events of the feed.
  for (const part of ['"by":"insurer"', 'surety.claim.note_added.v1', 'Called'])
    expect(bodies.some((text) => text.includes(part))).toBe(true);
  // The mark is what the platform reads in the same places.
  for (const path of [`claims/${live.claimId}`, `claims/${live.claimId}/history/`])
    for (const shown of ['Zuri insurer', assignee, 'zuri of the desk'])
      expect((await service.send('GET', `/api/v1/${path}`, { key: ADMIN_KEY })).text).toContain(shown);
});

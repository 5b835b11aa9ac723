import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { openShop } from '../support/bought-policies.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';

type Json = ApiResponse['json'];

const shop = await openShop();
const { service, acme } = shop;
shop.setDay('2026-03-20');

const work = async (key: string, search = ''): Promise<Json> => {
  const response = await shop.get(`work/${search}`, key);
  expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/work'));
  return response.json;
};
const keyOf = async (body: object): Promise<Json> => await service.admin('IssueApiKey', { label: 'desk', ...body });

const insurer = await keyOf({ role: 'insurer', provider_id: shop.providerId });
const handler = await keyOf({ role: 'claims' });
const { person_id } = await service.admin('AddPerson', { name: 'Ada', email: 'ada@surety.example', role: 'claims' });
const ada = await keyOf({ person_id });
const { api_key: auditor } = await keyOf({ role: 'auditor' });

const policy = await shop.buy(await shop.offer());
const claim_details = {
  claim_type: 'Glass',
  incident_date: '2026-03-20',
  claim_amount: '900.00',
  coverage_name: 'Theft',
};
const { claim_id } = (await shop.post('claims', { policy_id: policy.policy_id, claim_details })).json;
const NONE = {
  submitted: 0,
  'under review': 0,
  'pending approval': 0,
  approved: 0,
  'offer sent': 0,
  'offer accepted': 0,
  'offer rejected': 0,
};

describe('The work of each role', () => {
  test('has the claims that it sees, by stage, of its mode, and nothing that is not its own', async () => {
    // One of the fixture, one of the shop.
    const claims = { ...NONE, submitted: 2 };
    expect(await work(acme.live.key)).toEqual({ claims, offers_to_answer: 0, renewals_due: 0, keys_expiring: 0 });
    expect((await work(acme.test.key)).claims).toEqual({ ...NONE, submitted: 1 });
    expect(await work(insurer.api_key)).toEqual({ claims: { ...NONE, submitted: 1 }, assigned_to_me: 0 });
    expect(await work(insurer.api_key, '?test_mode=true')).toEqual({ claims: NONE, assigned_to_me: 0 });

    expect((await work(handler.api_key)).claims).toEqual(claims);
    expect(Object.keys(await work(handler.api_key))).toEqual(['claims', 'assigned_to_me']);
    expect(Object.keys(await work(String(auditor)))).toEqual(['claims', 'parked_documents', 'parked_mails']);
    expect(await work(ADMIN_KEY)).toEqual({
      claims,
      assigned_to_me: 0,
      policies_waiting: 0,
      keys_expiring: 0,
      parked_documents: 0,
      parked_mails: 0,
    });
  });

  test('follows a claim: assigned, moved, offered and denied', async () => {
    await shop.admin('AssignClaim', { claim_id, assignee: handler.key_id });
    expect((await work(handler.api_key)).assigned_to_me).toBe(1);
    await shop.admin('AssignClaim', { claim_id, assignee: person_id });
    expect((await work(handler.api_key)).assigned_to_me).toBe(0);
    expect((await work(ada.api_key)).assigned_to_me).toBe(1);
    for (const move of ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim', 'SendClaimOffer'])
      await shop.admin(move, { claim_id });
    expect(await work(acme.live.key)).toMatchObject({ claims: { submitted: 1, 'offer sent': 1 }, offers_to_answer: 1 });
    await shop.admin('DenyClaim', { claim_id, reason: 'No cover' });
    expect(await work(acme.live.key)).toMatchObject({ claims: { ...NONE, submitted: 1 }, offers_to_answer: 0 });
    expect((await work(ada.api_key)).assigned_to_me).toBe(0);
  });

  test('has renewals that are due within 30 days', async () => {
    const due = async (day: string) => {
      shop.setDay(day);
      return (await work(acme.live.key)).renewals_due;
    };
    const { renewal_date } = (await shop.get(`policies/${policy.policy_id}`)).json;
    expect(renewal_date).toBe('2027-03-20T00:00:00.000Z');
    expect(await due('2027-02-17')).toBe((await due('2027-02-18')) - 1);
    expect(await due('2027-03-20')).toBe((await due('2027-03-21')) + 1);
    shop.setDay('2026-03-20');
  });

  test('has policies that wait for their activation, which a list shows', async () => {
    const { policy_id } = await shop.buy(await shop.offer({ inspection_required: true }));
    const list = async (key: string) =>
      (await shop.get('policies/?cover=waiting', key)).json.results.map((one: Json) => [one.policy_id, one.cover]);
    expect((await work(ADMIN_KEY)).policies_waiting).toBe(1);
    expect((await work(ADMIN_KEY, '?test_mode=true')).policies_waiting).toBe(0);
    for (const key of [ADMIN_KEY, insurer.api_key]) expect(await list(key)).toEqual([[policy_id, 'waiting']]);
    await shop.admin('ActivatePolicy', { policy_id });
    expect((await work(ADMIN_KEY)).policies_waiting).toBe(0);
    for (const key of [ADMIN_KEY, insurer.api_key]) expect(await list(key)).toEqual([]);
  });

  test('has keys that expire within 14 days, until they are revoked or have expired', async () => {
    shop.setDay('2026-03-20');
    const expires_at = '2026-04-10T00:00:00.000Z';
    const { key_id } = await keyOf({ environment_id: acme.live.environmentId, expires_at });
    await keyOf({ environment_id: acme.test.environmentId, expires_at });
    await keyOf({ role: 'auditor', expires_at });
    const counts = async (day: string) => {
      shop.setDay(day);
      return [(await work(acme.live.key)).keys_expiring, (await work(ADMIN_KEY)).keys_expiring];
    };
    expect(await counts('2026-03-26')).toEqual([0, 0]);
    expect(await counts('2026-03-27')).toEqual([1, 3]);
    expect(await counts('2026-04-10')).toEqual([0, 0]);
    await service.admin('RevokeApiKey', { key_id });
    expect(await counts('2026-03-27')).toEqual([0, 2]);
  });
});

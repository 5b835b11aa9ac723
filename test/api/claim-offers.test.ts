import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ADMIN_KEY,
  type ApiRequest,
  type ApiResponse,
  type ApiService,
  startApiService,
} from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant, type MerchantFixture } from '../support/merchant-fixture.ts';

let service: ApiService;
let acme: MerchantFixture;
/** A claim of Acme with an open offer. */
let claim: { readonly claim_id: string; readonly claim_reference_number: string };

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
});

afterAll(async () => {
  await service.stop();
});

beforeEach(async () => {
  const filed = await service.send('POST', '/api/v1/claims', {
    key: acme.live.key,
    body: {
      policy_id: acme.live.policyId,
      claim_details: { claim_type: 'Glass', incident_date: '2026-03-01', claim_amount: '100' },
      documents: [{ document_name: 'a', evidence_type: 'b', blob: 'YQ==' }],
    },
  });
  claim = filed.json;
  const { claim_id } = claim;
  for (const command of ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim'])
    await service.admin(command, { claim_id });
  await service.admin('SendClaimOffer', { claim_id, offer_amount: '80' });
});

async function answerOffer(how: 'accept' | 'reject', request: Partial<ApiRequest> = {}, id = claim.claim_id) {
  const body = how === 'reject' ? { reason: 'Too low' } : undefined;
  const defaults = { key: acme.live.key, ...(body === undefined ? {} : { body }) };
  return await service.send('POST', `/api/v1/claims/${id}/offer/${how}/`, { ...defaults, ...request });
}
const outcome = ({ status, json }: ApiResponse) => [status, json.code];

describe('The offer of a claim', () => {
  test.each(['accept', 'reject'] as const)('a merchant can %s it, and gets the claim', async (how) => {
    const response = await answerOffer(how);
    expect(response.status).toBe(200);
    expectDocumentedBody(response, getRoute(service, 'POST', `/api/v1/claims/:id/offer/${how}`));
    const read = await service.send('GET', `/api/v1/claims/${claim.claim_id}`, { key: acme.live.key });
    expect(response.json).toEqual(read.json);
    expect(response.json).toMatchObject({
      claim_status: how === 'accept' ? 'offer_accepted' : 'approved',
      settlement: { approved_amount: '100.00', offer_amount: how === 'accept' ? '80.00' : null, paid_amount: null },
      notes: how === 'accept' ? null : 'Too low',
      documents: [{ blob: 'YQ==' }],
    });
    expect(response.json.claim_status_timeline.at(-1).name).toBe(
      how === 'accept' ? 'offer accepted' : 'offer rejected',
    );
  });

  test('of a rejected claim can be sent again or the claim denied, not paid', async () => {
    await answerOffer('reject');
    const { claim_id } = claim;
    const paid = await service.send('POST', '/api/v1/admin/commands/PayClaim', { key: ADMIN_KEY, body: { claim_id } });
    expect(outcome(paid)).toEqual([409, 'claim_move_not_allowed']);
    expect(await service.admin('SendClaimOffer', { claim_id })).toEqual({ claim_status: 'offer_sent' });
    expect((await answerOffer('accept')).json.settlement.offer_amount).toBe('100.00');
    expect(outcome(await answerOffer('reject'))).toEqual([409, 'claim_move_not_allowed']);
  });

  test.each([
    ['reject', { claim_id: 'x' }, ['reason', 'claim_id']],
    ['accept', { reason: 'x' }, ['reason']],
  ] as const)('%s with %j is 400', async (how, body, fields) => {
    const response = await answerOffer(how, { body });
    expect(outcome(response)).toEqual([400, 'invalid_request']);
    expect(response.json.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
  });
});

describe('An amount that is too high', () => {
  test('is 400, naming field and limit', async () => {
    await answerOffer('accept');
    const response = await service.send('POST', '/api/v1/admin/commands/PayClaim', {
      key: ADMIN_KEY,
      body: { claim_id: claim.claim_id, paid_amount: '80.01' },
    });
    expect(response.json).toMatchObject({
      status: 400,
      code: 'amount_too_high',
      limit: '80.00',
      errors: [{ field: 'paid_amount', message: 'must be at most 80.00, the accepted offer' }],
    });
  });
});

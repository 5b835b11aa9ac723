import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { claims } from '../../projections/claims/claims.ts';
import { policies } from '../../projections/policies/policies.ts';
import { importTerm, createMerchant, type MerchantFixture, termRow } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';

let service: ApiService;
let acme: MerchantFixture;

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
});

afterAll(async () => {
  await service.stop();
});

describe('Policies', () => {
  test('an imported policy has every field of the specification', async () => {
    const response = await service.send('GET', `/api/v1/policies/${acme.live.policyId}/`, { key: acme.live.key });
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/policies/:policy_id'));
    expect(response.json).toEqual({
      policy_id: acme.live.policyId,
      policy_number: 'MOT-1',
      effective_from: '2026-01-01',
      effective_through: '2026-12-31',
      premium: '365.00',
      policy_holder: {
        customer_id: acme.live.customerId,
        customer_name: 'Holder of MOT-1',
        customer_email: 'mot-1@customers.example',
        customer_phone: '+234 1 000',
      },
      merchant: 'Acme',
      provider: { provider_id: expect.any(String), provider_name: 'Imported Insurance', email: null },
      coverage: '',
      policy_type: 'Auto',
      renewable: true,
      renewal_date: '2027-01-01T00:00:00.000Z',
      inspection_required: false,
      cerfication_required: false,
      status: 'active',
      cancellation_initiator: null,
      cancellation_reason: null,
      cancellation_date: null,
      beneficiaries: [],
    });
    expect(response.headers.get('etag')).toBe(`"${policies.version}-0-2026-01-01"`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('The list of policies', () => {
  test('shows an administrator the live or test policies, newest last', async () => {
    const live = await service.send('GET', '/api/v1/policies/', { key: ADMIN_KEY });
    expectDocumentedBody(live, getRoute(service, 'GET', '/api/v1/policies'));
    expect(live.json).toMatchObject({ count: 1, next: null, previous: null });
    expect(live.json.results[0].policy_id).toBe(acme.live.policyId);
    const inTest = await service.send('GET', '/api/v1/policies?test_mode=true', { key: ADMIN_KEY });
    expect(inTest.json.results.map((policy: { policy_id: string }) => policy.policy_id)).toEqual([acme.test.policyId]);
  });
});

describe('Customers', () => {
  test('active policies and claims depend on the day', async () => {
    const path = `/api/v1/customers/${acme.live.customerId}/`;
    const response = await service.send('GET', path, { key: acme.live.key });
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/customers/:id'));
    const summary = {
      policy_id: acme.live.policyId,
      policy_type: 'Auto',
      status: 'active',
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      premium_amount: '365.00',
    };
    expect(response.json).toEqual({
      customer_id: acme.live.customerId,
      full_name: 'Holder of MOT-1',
      customer_email: 'mot-1@customers.example',
      customer_phone: '+234 1 000',
      date_of_birth: '1980-05-17',
      address: '1 Marina, Lagos',
      purchased_policies: [summary],
      purchased_policies_count: 1,
      active_policies: [summary],
      active_policies_count: 1,
      active_claims: [
        {
          claim_id: acme.live.claimId,
          policy_id: acme.live.policyId,
          claim_status: 'pending',
          claim_amount: '1200.50',
          date_filed: '2026-03-10',
          date_resolved: null,
        },
      ],
      active_claims_count: 1,
      links: {
        policies: `/api/v1/customers/${acme.live.customerId}/policies/`,
        claims: `/api/v1/customers/${acme.live.customerId}/claims/`,
      },
    });
    const { now } = service.clock;
    service.clock.now = '2027-01-01T00:00:00.000Z';
    const later = await service.send('GET', path, { key: acme.live.key });
    service.clock.now = now;
    expect(later.json.purchased_policies).toEqual([summary]);
    expect(later.json).toMatchObject({ active_policies: [], active_policies_count: 0 });
    expect(later.headers.get('etag')).not.toBe(response.headers.get('etag'));
  });

  test('open and resolved claims are in one data array', async () => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('MOT-CLAIMS'));
    await service.admin('ImportClaim', {
      environment_id: acme.live.environmentId,
      claim_reference_number: 'OLD-1',
      policy_number: 'MOT-CLAIMS',
      claim_type: 'Theft',
      incident_date: '2026-01-05',
      filed_on: '2026-01-06',
      claim_amount: '90',
      claim_status: 'paid',
      resolved_on: '2026-01-20',
    });
    const policy = await service.send('GET', `/api/v1/policies/${policy_id}`, { key: acme.live.key });
    const { customer_id } = policy.json.policy_holder;
    const response = await service.send('GET', `/api/v1/customers/${customer_id}/claims/`, { key: acme.live.key });
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/customers/:id/claims'));
    expect(response.json).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          data: [
            {
              claim_id: expect.any(String),
              policy_id,
              claim_status: 'paid',
              claim_amount: '90.00',
              date_filed: '2026-01-06',
              date_resolved: '2026-01-20',
            },
          ],
        },
      ],
    });
    const emptyPage = await service.send('GET', `/api/v1/customers/${customer_id}/claims?offset=1`, {
      key: acme.live.key,
    });
    expect(emptyPage.json).toMatchObject({ count: 1, results: [], next: null });
  });
});

describe('Claims', () => {
  test('a claim is the same in the response, by id and by reference', async () => {
    const content = Buffer.from('what happened \u{1f697}').toString('base64');
    const submitted = await service.send('POST', '/api/v1/claims/', {
      key: acme.live.key,
      body: {
        policy_number: 'MOT-1',
        claim_details: { claim_type: 'Glass', incident_date: '2026-03-01', incident_description: 'A stone' },
        documents: [{ document_name: 'photo.jpg', evidence_type: 'photo', blob: content }],
      },
    });
    expectDocumentedBody(submitted, getRoute(service, 'POST', '/api/v1/claims'));
    expect(submitted.json).toEqual({
      claim_id: expect.any(String),
      claim_reference_number: expect.stringMatching(/^CLAIM-20260310-\d{4}$/),
      claim_status: 'pending',
      claim_date: '2026-03-10',
      claimant: {
        customer_id: acme.live.customerId,
        customer_name: 'Holder of MOT-1',
        customer_email: 'mot-1@customers.example',
        customer_phone: '+234 1 000',
      },
      claim_amount: null,
      settlement: { approved_amount: null, offer_amount: null, paid_amount: null },
      insurer: 'Imported Insurance',
      product: { name: 'Motor Basic', product_type: 'Auto' },
      policy: acme.live.policyId,
      claim_status_timeline: [{ time_stamp: '2026-03-10 09:30:00', name: 'submitted' }],
      notes: null,
      documents: [
        {
          document_name: 'photo.jpg',
          evidence_type: 'photo',
          sha256: createHash('sha256').update(Buffer.from(content, 'base64')).digest('hex'),
          blob: content,
          uploaded_at: '2026-03-10T09:30:00.000Z',
        },
      ],
    });
    const { claim_id, claim_reference_number } = submitted.json;
    const byId = await service.send('GET', `/api/v1/claims/${claim_id}/`, { key: acme.live.key });
    const byReference = await service.send('GET', `/api/v1/claims/${claim_reference_number}`, { key: acme.live.key });
    expect(byId.json).toEqual(submitted.json);
    expect(byReference.text).toBe(byId.text);
    const lowerCasePath = `/api/v1/claims/${String(claim_reference_number).toLowerCase()}`;
    expect((await service.send('GET', lowerCasePath, { key: acme.live.key })).text).toBe(byId.text);
    expect(byId.headers.get('etag')).toBe(`"${claims.version}-0"`);
    expectDocumentedBody(byId, getRoute(service, 'GET', '/api/v1/claims/:id'));
  });

  test('the timeline shows the status changes, and the ETag changes with each', async () => {
    const claim_id = acme.test.claimId;
    const reviewed = await service.admin('ReviewClaim', { claim_id, note: 'looked at it' });
    expect(reviewed).toEqual({ claim_status: 'pending' });
    const denied = await service.admin('DenyClaim', { claim_id, reason: 'not covered' });
    expect(denied).toEqual({ claim_status: 'denied' });
    const response = await service.send('GET', `/api/v1/claims/${claim_id}`, { key: acme.test.key });
    expect(response.json.claim_status_timeline.map((entry: { name: string }) => entry.name)).toEqual([
      'submitted',
      'under review',
      'denied',
    ]);
    expect(response.headers.get('etag')).toBe(`"${claims.version}-2"`);
  });
});

describe('Merchants and environments', () => {
  test('a merchant sees every field of itself', async () => {
    const response = await service.send('GET', `/api/v1/merchants/${acme.shortCode}/`, { key: acme.live.key });
    const lowerCasePath = `/api/v1/merchants/${acme.shortCode.toLowerCase()}`;
    expect((await service.send('GET', lowerCasePath, { key: acme.live.key })).text).toBe(response.text);
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/merchants/:short_code'));
    expect(response.json).toEqual({
      id: 1,
      created_at: '2026-03-10T09:30:00.000Z',
      updated_at: '2026-03-10T09:30:00.000Z',
      name: 'Acme',
      tenant_id: acme.tenantId,
      is_trashed: false,
      trashed_at: null,
      restored_at: null,
      short_code: acme.shortCode,
      business_email: 'office@acme.example',
      support_email: null,
      is_active: false,
      tax_identification_number: 'TIN-Acme',
      registration_number: 'RC-Acme',
      address: 'Street of Acme',
      kyc_verified: false,
      user: null,
    });
  });

  test('the list has the merchants as single reads return them', async () => {
    const response = await service.send('GET', '/api/v1/merchants/', { key: acme.live.key });
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/merchants'));
    expect(response.json).toMatchObject({ count: 1, results: [{ short_code: acme.shortCode }] });
  });

  test('an environment has its three fields', async () => {
    const response = await service.send('GET', `/api/v1/environments/${acme.live.environmentId}/`, {
      key: acme.live.key,
    });
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/environments/:id'));
    expect(response.json).toEqual({
      environment_name: 'Production',
      test_mode: false,
      client_id: acme.live.clientId,
      time_zone: 'UTC',
    });
  });
});

describe('Providers and products', () => {
  test('lists and finds a provider that a merchant registered', async () => {
    const body = { name: 'Zenith  Life', support_email: 'help@zenith.example', support_phone: '+234 2' };
    const registered = await service.send('POST', '/api/v1/onboarding/providers/registration/', {
      key: acme.live.key,
      body,
    });
    expectDocumentedBody(registered, getRoute(service, 'POST', '/api/v1/onboarding/providers/registration'));
    const id = registered.json.provider_id;
    expect(registered.json).toEqual({ provider_id: id, name: body.name, support_email: 'help@zenith.example' });
    const more = { is_confirmed: false, withdrawn_at: null };
    const item = { id, name: body.name, address: null, phone_number: '+234 2', ...more };
    const listed = await service.send('GET', '/api/v1/insurers/', { key: acme.live.key });
    expectDocumentedBody(listed, getRoute(service, 'GET', '/api/v1/insurers'));
    expect(listed.json.results).toContainEqual(item);
    const found = await service.send('GET', '/api/v1/providers/search/?name=ITH%20lif', { key: acme.live.key });
    expectDocumentedBody(found, getRoute(service, 'GET', '/api/v1/providers/search'));
    expect(found.json).toEqual({ count: 1, next: null, previous: null, results: [item] });
    const inTest = await service.send('GET', '/api/v1/providers/search?name=zenith', { key: acme.test.key });
    expect(inTest.json).toMatchObject({ count: 0, results: [] });
  });

  test('products have the documented schema in the list and alone', async () => {
    const provider = await service.admin('RegisterProvider', {
      name: 'Axa',
      support_email: 'help@axa.example',
      support_phone: '1',
    });
    const { product_id: id } = await service.admin('AddProduct', {
      provider_id: provider.provider_id,
      name: 'Gadget Plus',
      description: 'Covers phones',
      product_type: 'Gadget',
      base_premium: '5000',
      product_plan: 'Premium',
      rating: { surcharge: '500', tax_percent: '7.5' },
      coverages: [{ coverage_name: 'Theft', coverage_type: 'Loss', coverage_limit: '100000' }],
    });
    const sharedFields = {
      id,
      created_at: '2026-03-10T09:30:00.000Z',
      updated_at: '2026-03-10T09:30:00.000Z',
      is_trashed: false,
      trashed_at: null,
      restored_at: null,
      name: 'Gadget Plus',
      description: 'Covers phones',
      product_type: 'Gadget',
      is_live: true,
    };
    const listed = await service.send('GET', '/api/v1/products', { key: acme.test.key });
    expectDocumentedBody(listed, getRoute(service, 'GET', '/api/v1/products'));
    expect(listed.json.results).toHaveLength(1);
    expect(listed.json.results[0]).toContainEqual({
      ...sharedFields,
      coverage_details: 'Theft',
      provider: provider.provider_id,
    });
    await service.admin('UpdateProvider', { provider_id: provider.provider_id, name: 'Axa Mansard' });
    const read = await service.send('GET', `/api/v1/products/${id}/`, { key: acme.live.key });
    expectDocumentedBody(read, getRoute(service, 'GET', '/api/v1/products/:id'));
    expect(read.json).toEqual({
      ...sharedFields,
      coverages: [
        {
          coverage_id: expect.any(String),
          coverage_name: 'Theft',
          coverage_description: null,
          coverage_type: 'Loss',
          coverage_limit: '100000.00',
        },
      ],
      provider: { provider_id: provider.provider_id, provider_name: 'Axa Mansard', email: 'help@axa.example' },
      base_premium: '5000.00',
      origin_product_id: null,
      product_plan: 'Premium',
      pricing: { amount: '5000.00', tax: '412.50', surcharges: '500.00', total_price: '5912.50' },
    });
  });
});

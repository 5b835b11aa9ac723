import { describe, expect, test } from '@jest/globals';
import { importTerm, createMerchant, termRow } from '../support/merchant-fixture.ts';
import { ADMIN_KEY } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');

describe('Renewal and cancellation', () => {
  test.each([
    ['in the query alone', (id: string) => ({ search: `?policy_id=${id}`, body: {} })],
    [
      'twice the same, in another case',
      (id: string) => ({ search: `?policy_id=${id.toUpperCase()}`, body: { policy_id: id } }),
    ],
  ] as const)('cancels the policy named %s', async (how, request) => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow(`MOT-${how.length}`));
    const { search, body } = request(policy_id);
    const response = await service.send('POST', `/api/v1/policies/cancel${search}`, {
      key: acme.live.key,
      body: { ...body, cancellation_reason: 'moved' },
    });
    expect(response.status).toBe(200);
    expect(response.json.data.policy_id).toBe(policy_id);
  });

  test('rejects a cancellation that names two policies', async () => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('MOT-TWO'));
    const before = (await service.log()).length;
    for (const [search, body, field] of [
      [`?policy_id=${acme.live.policyId}`, { policy_id }, 'policy_id'],
      ['?policy_number=MOT-1', { policy_id }, 'policy_number'],
      ['?policy_number=MOT-NOBODY', { policy_id }, 'policy_number'],
      ['?policy_number=MOT-1', { policy_number: 'MOT-TWO' }, 'policy_number'],
    ] as const) {
      const response = await service.send('POST', `/api/v1/policies/cancel${search}`, {
        key: acme.live.key,
        body: { ...body, cancellation_reason: 'moved' },
      });
      expect(response.status).toBe(400);
      expect(response.json.errors.map((error: { field: string }) => error.field)).toContain(field);
    }
    expect(await service.log()).toHaveLength(before);
  });
});

describe('Admin commands', () => {
  test('rejects an unknown environment_id', async () => {
    for (const environment_id of [99, undefined, 'live', 0, 1.5]) {
      const response = await service.send('POST', '/api/v1/admin/commands/CancelPolicy', {
        key: ADMIN_KEY,
        body: { policy_id: acme.live.policyId, cancellation_reason: 'x', environment_id },
      });
      expect(response.status).toBe(400);
      expect(response.json.errors).toMatchObject([{ field: 'environment_id' }]);
    }
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import { derivedId, reservationStream } from '#event-sourcing/identifiers.ts';
import { merchantStream } from '#domain/merchant/merchant.ts';
import { setUpMerchant, MERCHANT_INPUT } from '#test/support/admin-fixtures.ts';
import { ADMIN, CommandHarness, invalidFields } from '#test/support/command-harness.ts';
import { registerMerchant, deriveShortCode } from './register-merchant.ts';
import { updateMerchant } from './update-merchant.ts';

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

describe('RegisterMerchant', () => {
  test('gives the merchant a number, a tenant id and a short code', async () => {
    const outcome = await h.run(registerMerchant, MERCHANT_INPUT);
    const { merchant_id: id, tenant_id: tenantId, short_code: shortCode } = outcome.result;
    expect(outcome).toMatchObject({ created: true, revision: 1, events: [{ revision: 0 }, { revision: 1 }] });
    expect(outcome.position).toBe((await h.log()).at(-1)?.position);
    expect(id).toBe(1);
    expect(shortCode).toMatch(/^ACM-[0-9A-F]{4}$/);
    const [event, link] = await h.events(merchantStream(String(tenantId)));
    expect(event).toMatchObject({ data: { tenantId, merchantId: 1, shortCode }, metadata: { merchant: tenantId } });
    expect(link).toMatchObject({ data: { expiresAt: '2026-03-02T10:00:00.000Z' }, metadata: { merchant: tenantId } });
  });

  test('uses the next candidate when a concurrent command has the short code', async () => {
    const commandId = derivedId('idempotency-key', 'platform', 'undefined', 'RegisterMerchant', 'k');
    const [taken, free] = [0, 1].map((place) => deriveShortCode('Acme Bank', commandId, place));
    const reservation = { kind: 'shortCode', scope: 'platform', value: taken, target: 'merchant-other' };
    await h.given(reservationStream('shortCode', 'platform', String(taken)), {
      type: 'ValueReserved',
      data: { ...reservation, decidedAt: h.now, actor: ADMIN, environment: null, input: {} },
    });
    expect((await h.run(registerMerchant, MERCHANT_INPUT, { key: 'k' })).result.short_code).toBe(free);
  });

  test('names every invalid field', async () => {
    const refusal = await h.expectRefusal(registerMerchant, {
      name: '  ',
      business_email: 'nobody',
      support_email: `${'a'.repeat(250)}@b.example`,
      address: 'line\u0000',
      tax_identification_number: 'x'.repeat(41),
      registration_number: 7,
      shoe_size: 43,
    });
    expect(invalidFields(refusal).sort()).toEqual(
      [
        'name',
        'business_email',
        'support_email',
        'address',
        'tax_identification_number',
        'registration_number',
        'shoe_size',
      ].sort(),
    );
  });
});

describe('UpdateMerchant', () => {
  test('finds the merchant by its code in any case', async () => {
    const { shortCode } = await setUpMerchant(h);
    const input = { short_code: shortCode.toLowerCase(), name: 'New' };
    expect((await h.run(updateMerchant, input)).revision).toBe(2);
  });

  test('rejects an update without a field', async () => {
    expect((await h.expectRefusal(updateMerchant, { short_code: 'ACM-1A2B' })).code).toBe('invalid_request');
  });

  test('checks the merchant before If-Match, and If-Match before the changes', async () => {
    const unknown = { short_code: 'NON-0000', name: 'New' };
    expect((await h.expectRefusal(updateMerchant, unknown, { ifMatch: [9] })).code).toBe('merchant_not_found');
    const { shortCode } = await setUpMerchant(h);
    const same = { short_code: shortCode, name: 'Acme Bank' };
    expect((await h.expectRefusal(updateMerchant, same, { ifMatch: [9] })).code).toBe('precondition_failed');
    expect((await h.run(updateMerchant, { ...same, name: 'New' }, { ifMatch: [1] })).revision).toBe(2);
  });

  test('does not find a merchant with an unfinished registration', async () => {
    h.eventStore.beforeAppend = (stream) => {
      if (stream.startsWith('merchant-')) throw new Error('killed');
    };
    await expect(h.run(registerMerchant, MERCHANT_INPUT)).rejects.toThrow('killed');
    const reserved = (await h.log()).find(({ type }) => type === 'ValueReserved');
    const shortCode = reserved && (reserved.data as { value: string }).value;
    expect(shortCode).toMatch(/^ACM-/);
    expect((await h.expectRefusal(updateMerchant, { short_code: shortCode, name: 'New' })).code).toBe(
      'merchant_not_found',
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import { type SampleEvent, MERCHANT_ID, toRecorded } from '#test/support/sample-events.ts';
import { type MerchantDocument, merchants } from './merchants.ts';

const stream = `merchant-${MERCHANT_ID}`;
const merchantEvent = (type: string, data: object): SampleEvent => ({
  stream,
  type,
  data: { tenantId: MERCHANT_ID, ...data },
  tags: { merchant: MERCHANT_ID },
});
const REGISTERED = merchantEvent('MerchantRegistered', {
  merchantId: 7,
  shortCode: 'ABA-00FF',
  name: 'A bank',
  businessEmail: 'office@bank.example',
  supportEmail: 'help@bank.example',
  address: null,
  taxIdentificationNumber: 'T-1',
  registrationNumber: null,
});
const foldEvents = (...samples: readonly SampleEvent[]) =>
  toRecorded(...samples).reduce<MerchantDocument | undefined>(
    (before, event) => merchants.fold(before, event),
    undefined,
  );

describe('merchants', () => {
  test('have every field of the API after the registration', () => {
    expect(foldEvents(REGISTERED)).toEqual({
      id: 7,
      created_at: '2026-03-01T10:00:00.000Z',
      updated_at: '2026-03-01T10:00:00.000Z',
      name: 'A bank',
      tenant_id: MERCHANT_ID,
      is_trashed: false,
      trashed_at: null,
      restored_at: null,
      short_code: 'ABA-00FF',
      business_email: 'office@bank.example',
      support_email: 'help@bank.example',
      is_active: false,
      tax_identification_number: 'T-1',
      registration_number: null,
      address: null,
      kyc_verified: false,
      user: null,
    });
  });

  test('change only the updated fields and the time of the update', () => {
    const changes = { name: 'Another bank', supportEmail: null, taxIdentificationNumber: 'T-2', address: 'A street 1' };
    const before = foldEvents(REGISTERED);
    expect(foldEvents(REGISTERED, merchantEvent('MerchantUpdated', { changes }))).toEqual({
      ...before,
      updated_at: '2026-03-01T11:00:00.000Z',
      name: 'Another bank',
      support_email: null,
      tax_identification_number: 'T-2',
      address: 'A street 1',
    });
    const more = { businessEmail: 'new@bank.example', registrationNumber: 'R-1' };
    expect(foldEvents(REGISTERED, merchantEvent('MerchantUpdated', { changes: more }))).toMatchObject({
      name: 'A bank',
      business_email: 'new@bank.example',
      registration_number: 'R-1',
    });
  });

  test('are verified but not active once the identity is confirmed', () => {
    expect(foldEvents(REGISTERED, merchantEvent('MerchantKycConfirmed', {}))).toMatchObject({
      kyc_verified: true,
      is_active: false,
      updated_at: '2026-03-01T11:00:00.000Z',
    });
  });

  test('are active once the e-mail is verified, and unchanged by a verification request', () => {
    const asked = merchantEvent('MerchantVerificationRequested', { serial: 1, expiresAt: '2026-03-02T10:00:00.000Z' });
    expect(foldEvents(REGISTERED, asked)).toEqual(foldEvents(REGISTERED));
    expect(foldEvents(REGISTERED, asked, merchantEvent('MerchantVerified', { serial: 1 }))).toEqual({
      ...foldEvents(REGISTERED),
      is_active: true,
      updated_at: '2026-03-01T12:00:00.000Z',
    });
  });

  test('are found by short code and tenant', () => {
    const document = foldEvents(REGISTERED);
    expect(document && merchants.indexes(document)).toEqual({ short_code: 'aba-00ff', tenant: MERCHANT_ID });
  });

  test('reject an update before the registration', () => {
    expect(() => foldEvents(merchantEvent('MerchantUpdated', { changes: {} }))).toThrow('came before what it changes');
  });
});

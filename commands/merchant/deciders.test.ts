import { describe, expect, test } from '@jest/globals';
import { merchant } from '#domain/merchant/merchant.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { given, type GivenEvent, NOW } from '#test/support/given.ts';
import { confirmKyc } from './confirm-kyc.ts';
import { registerMerchant, deriveShortCode } from './register-merchant.ts';
import { resendVerification } from './resend-verification.ts';
import { updateMerchant } from './update-merchant.ts';
import { verifyMerchant } from './verify-merchant.ts';

const tenantId = derivedId('tenant');
const ids = { tenantId, merchantId: 4, shortCode: 'ACM-1A2B' };
const details = {
  name: 'Acme Bank',
  businessEmail: 'hello@acme.example',
  supportEmail: 'help@acme.example',
  address: '1 Marina, Lagos',
  taxIdentificationNumber: 'TIN 1',
  registrationNumber: 'RC 1',
};
const registered = { type: 'MerchantRegistered', data: { ...ids, ...details } };
const linkRequested = (serial: number): GivenEvent => ({
  type: 'MerchantVerificationRequested',
  data: { tenantId, serial, expiresAt: '2026-03-02T10:00:00.000Z' },
});
const verified = (serial: number) => ({ type: 'MerchantVerified', data: { tenantId, serial } });
const updated = (changes: object) => ({ type: 'MerchantUpdated', data: { tenantId, changes } });
const confirmed = { type: 'MerchantKycConfirmed', data: { tenantId } };

describe('RegisterMerchant', () => {
  const name = 'Acme Bank';
  const business_email = 'hello@acme.example';

  test('records every field and requests a link that expires after 24 hours', () => {
    const registration = {
      name,
      business_email,
      support_email: 'help@acme.example',
      address: '1 Marina, Lagos',
      tax_identification_number: 'TIN 1',
      registration_number: 'RC 1',
    };
    given()
      .when(registerMerchant, { ...ids, registration, now: NOW })
      .then(registered, linkRequested(1));
  });

  test('records null for what is not given', () => {
    const none = { supportEmail: null, address: null, taxIdentificationNumber: null, registrationNumber: null };
    given()
      .when(registerMerchant, { ...ids, registration: { name, business_email }, now: NOW })
      .then({ ...registered, data: { ...registered.data, ...none } }, linkRequested(1));
  });

  test('takes short codes of three letters of the name and four digits that differ by candidate', () => {
    expect(deriveShortCode('Acme Bank', 'c', 0)).toMatch(/^ACM-[0-9A-F]{4}$/);
    expect(deriveShortCode('Ö 3', 'c', 0)).toMatch(/^OXX-[0-9A-F]{4}$/);
    expect(new Set([0, 1, 2].map((candidate) => deriveShortCode('Acme', 'c', candidate))).size).toBe(3);
    expect(deriveShortCode('Acme', 'c', 0)).not.toBe(deriveShortCode('Acme', 'd', 0));
  });
});

describe('UpdateMerchant', () => {
  const short_code = 'ACM-1A2B';
  const same = { short_code, name: 'Acme Bank', business_email: 'hello@acme.example' };

  test('records what differs and clears what is null', () => {
    const update = { ...same, support_email: null, registration_number: 'RC 2' };
    given(registered)
      .when(updateMerchant, { ...update, now: NOW })
      .then(updated({ supportEmail: null, registrationNumber: 'RC 2' }));
  });

  test('refuses what changes nothing, after earlier changes too', () => {
    given(registered)
      .when(updateMerchant, { ...same, now: NOW })
      .thenRefused('nothing_to_change');
    given(registered, updated({ address: null }))
      .when(updateMerchant, { ...same, address: null, now: NOW })
      .thenRefused('nothing_to_change');
  });

  test('requests a new link for a new e-mail that is not verified yet, and for no other change', () => {
    const update = { short_code, business_email: 'new@acme.example' };
    const change = updated({ businessEmail: 'new@acme.example' });
    given(registered, linkRequested(1), linkRequested(2))
      .when(updateMerchant, { ...update, now: NOW })
      .then(change, linkRequested(3));
    given(registered, linkRequested(1), verified(1))
      .when(updateMerchant, { ...update, now: NOW })
      .then(change);
    given(registered)
      .when(updateMerchant, { ...update, now: NOW })
      .then(change);
    given(registered, linkRequested(1))
      .when(updateMerchant, { short_code, name: 'New', now: NOW })
      .then(updated({ name: 'New' }));
  });
});

test('ConfirmKyc confirms once', () => {
  given(registered).when(confirmKyc, {}).then(confirmed);
  given(registered, confirmed).when(confirmKyc, {}).thenRefused('kyc_already_confirmed');
});

test('ResendVerification requests the next link, until the merchant is verified', () => {
  given(registered).when(resendVerification, { now: NOW }).then(linkRequested(1));
  given(registered, linkRequested(1)).when(resendVerification, { now: NOW }).then(linkRequested(2));
  given(registered, linkRequested(1), verified(1))
    .when(resendVerification, { now: NOW })
    .thenRefused('merchant_already_verified');
});

test('VerifyMerchant verifies by the newest link, once', () => {
  const twoLinks = [registered, linkRequested(1), linkRequested(2)];
  given(...twoLinks)
    .when(verifyMerchant, { serial: 2 })
    .then(verified(2));
  for (const [history, serial] of [
    [twoLinks, 1],
    [[...twoLinks, verified(2)], 2],
    [[registered], 1],
  ] as const)
    given(...history)
      .when(verifyMerchant, { serial })
      .thenRefused('invalid_verification_token');
});

test('A merchant is what its events recorded', () => {
  const initial = { ...ids, ...details, kycVerified: false, verification: undefined, verified: false };
  expect(given(registered).foldedBy(merchant)).toEqual(initial);
  const all = [registered, updated({ address: null }), confirmed, linkRequested(2), verified(2)];
  expect(given(...all).foldedBy(merchant)).toEqual({
    ...initial,
    address: null,
    kycVerified: true,
    verification: { serial: 2, expiresAt: '2026-03-02T10:00:00.000Z' },
    verified: true,
  });
  expect(() => given(confirmed).foldedBy(merchant)).toThrow('before the merchant exists');
});

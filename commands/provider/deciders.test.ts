import { describe, expect, test } from '@jest/globals';
import { provider } from '#domain/provider/provider.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { PROVIDER_INPUT } from '#test/support/admin-fixtures.ts';
import { given } from '#test/support/given.ts';
import { confirmProvider, withdrawProvider } from './confirm-and-withdraw.ts';
import { registerProvider } from './register-provider.ts';
import { updateProvider } from './update-provider.ts';

const providerId = derivedId('provider');
const ids = { providerId, visibility: 'live' as const };
const owned = { ...ids, merchantId: derivedId('merchant'), imported: false };
const details = {
  name: 'Leadway',
  supportEmail: PROVIDER_INPUT.support_email,
  supportPhone: PROVIDER_INPUT.support_phone,
  address: '1 Marina, Lagos',
};
const registered = (changes: object = {}) => ({
  type: 'ProviderRegistered',
  data: { ...owned, ...details, ...changes },
});
const updated = (changes: object) => ({ type: 'ProviderUpdated', data: { ...ids, changes } });
const confirmed = { type: 'ProviderConfirmed', data: ids };
const withdrawn = { type: 'ProviderWithdrawn', data: ids };

test('RegisterProvider records every field', () => {
  const registration = { ...PROVIDER_INPUT, address: '1 Marina, Lagos' };
  given()
    .when(registerProvider, { ...owned, registration })
    .then(registered());
  given()
    .when(registerProvider, { ...owned, registration: PROVIDER_INPUT })
    .then(registered({ address: null }));
});

describe('UpdateProvider', () => {
  test('records what differs and clears the address', () => {
    const same = { provider_id: providerId, ...PROVIDER_INPUT };
    given(registered())
      .when(updateProvider, { ...same, address: null })
      .then(updated({ address: null }));
    const all = {
      provider_id: providerId,
      name: 'New',
      support_email: 'a@b.example',
      support_phone: '1',
      address: 'X',
    };
    given(registered())
      .when(updateProvider, all)
      .then(updated({ name: 'New', supportEmail: 'a@b.example', supportPhone: '1', address: 'X' }));
  });

  test('refuses what changes nothing, after earlier changes too', () => {
    const same = { provider_id: providerId, name: 'New' };
    given(registered(), updated({ name: 'New' }))
      .when(updateProvider, same)
      .thenRefused('nothing_to_change');
  });
});

test.each([
  ['that a merchant registered', [registered()], undefined],
  ['that is withdrawn', [registered(), withdrawn], 'provider_withdrawn'],
  ['that an import registered', [registered({ imported: true })], 'provider_not_confirmable'],
  ['that every merchant sees', [registered({ merchantId: null })], 'provider_already_confirmed'],
  ['that is confirmed', [registered(), confirmed], 'provider_already_confirmed'],
])('ConfirmProvider of a provider %s', (_which, history, code) => {
  const end = given(...history).when(confirmProvider, {});
  if (code === undefined) end.then(confirmed);
  else end.thenRefused(code);
});

test('WithdrawProvider withdraws once', () => {
  given(registered()).when(withdrawProvider, {}).then(withdrawn);
  given(registered(), withdrawn).when(withdrawProvider, {}).thenRefused('provider_withdrawn');
});

test('A provider is what its events recorded', () => {
  const state = { ...owned, ...details, isWithdrawn: false };
  expect(given(registered()).foldedBy(provider)).toEqual(state);
  const after = given(registered(), updated({ address: null }), confirmed, withdrawn).foldedBy(provider);
  expect(after).toEqual({ ...state, address: null, merchantId: null, isWithdrawn: true });
  expect(() => given(confirmed).foldedBy(provider)).toThrow('before the provider exists');
});

import { describe, expect, test } from '@jest/globals';
import { type SampleEvent, sampleId, toRecorded } from '#test/support/sample-events.ts';
import { type ProviderDocument, providers } from './providers.ts';

const stream = `provider-${sampleId('provider', 1)}`;
const providerRegistered = (visibility: string, merchantId: string | null = null): SampleEvent => ({
  stream,
  type: 'ProviderRegistered',
  data: {
    providerId: sampleId('provider', 1),
    visibility,
    merchantId,
    imported: false,
    name: '  Écu   Insurance ',
    supportEmail: 'help@ecu.example',
    supportPhone: '+234 1',
    address: null,
  },
  tags: {},
});
const providerUpdated = (changes: object): SampleEvent => ({
  stream,
  type: 'ProviderUpdated',
  data: { providerId: sampleId('provider', 1), visibility: 'both', changes },
  tags: {},
});
const moved = (type: 'ProviderConfirmed' | 'ProviderWithdrawn'): SampleEvent => ({
  stream,
  type,
  data: { providerId: sampleId('provider', 1), visibility: 'live' },
  tags: {},
});
const foldEvents = (...samples: readonly SampleEvent[]) => {
  const document = toRecorded(...samples).reduce<ProviderDocument | undefined>(
    (before, event) => providers.fold(before, event),
    undefined,
  );
  if (document === undefined) throw new Error('there is no provider');
  return document;
};

describe('providers', () => {
  test('change only the updated fields', () => {
    expect(
      foldEvents(providerRegistered('both'), providerUpdated({ supportPhone: '+234 2', address: 'A street 1' })),
    ).toEqual({
      id: sampleId('provider', 1),
      name: '  Écu   Insurance ',
      address: 'A street 1',
      phone_number: '+234 2',
      support_email: 'help@ecu.example',
      withdrawn_at: null,
      visibility: 'both',
      merchant_id: null,
    });
  });

  test.each([
    ['both', true, true],
    ['live', true, false],
    ['test', false, true],
  ])('with visibility %s are visible in the live mode: %s, in the test mode: %s', (visibility, live, test) => {
    expect(providers.indexes(foldEvents(providerRegistered(visibility)))).toEqual({
      visible_live: live,
      visible_test: test,
      visible_to: visibility,
      scope: visibility,
      folded_name: 'écu insurance',
    });
  });

  test('of one merchant are visible to it in their mode, also after an update', () => {
    const merchantId = sampleId('merchant', 1);
    const document = foldEvents(providerRegistered('live', merchantId), providerUpdated({ address: null }));
    expect(providers.indexes(document)).toMatchObject({ visible_to: `${merchantId}-live`, visible_test: false });
  });

  test('that a merchant registered are visible to every merchant of their mode once they are confirmed', () => {
    const registered = providerRegistered('live', sampleId('merchant', 1));
    const document = foldEvents(registered, moved('ProviderConfirmed'));
    expect(document).toEqual({ ...foldEvents(registered), merchant_id: null });
    expect(providers.indexes(document)).toMatchObject({ visible_to: 'live', visible_test: false });
  });

  test('are visible to no merchant once they are withdrawn, and keep their visibility', () => {
    const registered = providerRegistered('live', sampleId('merchant', 1));
    const document = foldEvents(registered, moved('ProviderWithdrawn'));
    expect(document).toEqual({ ...foldEvents(registered), withdrawn_at: expect.any(String) });
    expect(providers.indexes(document)).toMatchObject({
      visible_to: null,
      scope: `${sampleId('merchant', 1)}-live`,
      visible_live: true,
    });
  });

  test('are found by a new name', () => {
    const document = foldEvents(providerRegistered('both'), providerUpdated({ name: 'ZENITH' }));
    expect(providers.indexes(document)).toMatchObject({ folded_name: 'zenith' });
  });

  test('reject an update before the registration', () => {
    expect(() => foldEvents(providerUpdated({}))).toThrow('ProviderUpdated.v1 came before what it changes');
  });
});

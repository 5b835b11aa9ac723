import { expect, test } from '@jest/globals';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { type SampleEvent, toRecorded } from '#test/support/sample-events.ts';
import { type PersonDocument, personResource, persons } from './persons.ts';

const personId = derivedId('person');
const sample = (type: string, data: object): SampleEvent => ({
  stream: `person-${personId}`,
  type,
  data: { personId, ...data },
  tags: {},
});
const foldEvents = (...samples: readonly SampleEvent[]): PersonDocument | undefined =>
  toRecorded(...samples).reduce<PersonDocument | undefined>(
    (document, event) => persons.fold(document, event),
    undefined,
  );

test('A person is listed with the rights of now and the time of the removal', () => {
  const authority = { currency: 'NGN', approveUpTo: '5.00', payUpTo: null, reserveUpTo: null };
  const rights = { role: 'claims', merchant: null, providerId: null, authority, access: 'full' };
  const added = sample('PersonAdded', { name: 'Ada', email: 'ada@surety.example', ...rights });
  const document = foldEvents(
    added,
    sample('PersonUpdated', { changes: { access: 'read' } }),
    sample('PersonRemoved', { reason: 'Left' }),
  );
  expect(document && personResource(document)).toEqual({
    person_id: personId,
    name: 'Ada',
    email: 'ada@surety.example',
    role: 'claims',
    access: 'read',
    short_code: null,
    provider_id: null,
    added_at: expect.any(String),
    removed_at: expect.any(String),
    authority: { currency: 'NGN', approve_up_to: '5.00', pay_up_to: null, reserve_up_to: null },
  });
  expect(foldEvents(added)).toMatchObject({ removed_at: null });
  expect(() => foldEvents(sample('PersonRemoved', { reason: 'Left' }))).toThrow('came before what it changes');
});

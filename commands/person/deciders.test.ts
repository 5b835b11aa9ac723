import { describe, expect, test } from '@jest/globals';
import { person } from '#domain/person/person.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { given } from '#test/support/given.ts';
import { addPerson } from './add-person.ts';
import { endSessions, removePerson, updatePerson } from './change-person.ts';

const personId = derivedId('person');
const rights = { role: 'claims', merchant: null, providerId: null, authority: null, access: 'full' } as const;
const details = { personId, name: 'Ada Obi', email: 'ada@surety.example', ...rights };
const added = { type: 'PersonAdded', data: details };
const readOnly = { type: 'PersonUpdated', data: { personId, changes: { access: 'read' } } };
const ended = { type: 'PersonSessionsEnded', data: { personId } };
const removed = { type: 'PersonRemoved', data: { personId, reason: 'Left' } };

test('AddPerson records every field', () => {
  given().when(addPerson, details).then(added);
});

describe('UpdatePerson', () => {
  test('records what differs', () => {
    given(added)
      .when(updatePerson, { name: 'Ada Obi', rights: { ...rights, access: 'read' } })
      .then(readOnly);
  });

  test('refuses what changes nothing, after earlier changes too', () => {
    given(added, readOnly)
      .when(updatePerson, { rights: { ...rights, access: 'read' } })
      .thenRefused('nothing_to_change');
  });
});

test('RemovePerson records the reason', () => {
  given(added).when(removePerson, { reason: 'Left' }).then(removed);
});

test('EndSessions records the end', () => {
  given(added).when(endSessions, {}).then(ended);
});

test('A person is what was added and changed, until it is removed', () => {
  const state = { ...details, isRemoved: false, sessionsEnded: 0 };
  expect(given(added).foldedBy(person)).toEqual(state);
  expect(given(added, readOnly, removed).foldedBy(person)).toEqual({ ...state, access: 'read', isRemoved: true });
  expect(given(added, ended, ended).foldedBy(person)).toEqual({ ...state, sessionsEnded: 2 });
  expect(() => given(removed).foldedBy(person)).toThrow('before the person exists');
});

import { describe, expect, test } from '@jest/globals';
import { person } from '#domain/person/person.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { given } from '#test/support/given.ts';
import { addPerson } from './add-person.ts';
import { signIn } from './sign-in.ts';
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

describe('SignIn', () => {
  const account = { issuer: 'https://accounts.example', subject: '1', email: 'ada@surety.example' };
  const { email: _, ...recorded } = account;
  const nothing: never[] = [];
  const signedIn = { type: 'PersonSignedIn', data: { personId, ...recorded } };
  const released = { type: 'PersonUpdated', data: { personId, changes: { signIn: null } } };

  test('records the account with the first time, and nothing later', () => {
    given(added).when(signIn, account).then(signedIn);
    given(added, signedIn)
      .when(signIn, account)
      .then(...nothing);
  });

  test.each([{ subject: '2' }, { issuer: 'https://other.example' }])('refuses another account: %j', (other) => {
    given(added, signedIn)
      .when(signIn, { ...account, ...other })
      .thenRefused('person_not_found');
    given(added, signedIn, released)
      .when(signIn, { ...account, ...other })
      .then({ type: 'PersonSignedIn', data: { ...signedIn.data, ...other } });
  });

  test('UpdatePerson removes the account', () => {
    given(added, signedIn).when(updatePerson, { rights, release_sign_in: true }).then(released);
    given(added).when(updatePerson, { rights, release_sign_in: true }).thenRefused('nothing_to_change');
    given(added, signedIn).when(updatePerson, { rights, release_sign_in: false }).thenRefused('nothing_to_change');
  });
});

test('EndSessions records the end', () => {
  given(added).when(endSessions, {}).then(ended);
});

test('A person is what was added and changed, until it is removed', () => {
  const state = { ...details, isRemoved: false, sessionsEnded: 0, signIn: null };
  expect(given(added).foldedBy(person)).toEqual(state);
  expect(given(added, readOnly, removed).foldedBy(person)).toEqual({ ...state, access: 'read', isRemoved: true });
  expect(given(added, ended, ended).foldedBy(person)).toEqual({ ...state, sessionsEnded: 2 });
  expect(() => given(removed).foldedBy(person)).toThrow('before the person exists');
});

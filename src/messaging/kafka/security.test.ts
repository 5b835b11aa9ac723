import { expect, test } from '@jest/globals';
import { securityFor } from './security.ts';

const LOGIN = { mechanism: 'plain', username: 'surety', password: 'secret' } as const;

test('given nothing is said of it, then kafkajs speaks plainly, as nobody', () => {
  expect(securityFor(undefined)).toEqual({});
  expect(securityFor({ tls: false, login: undefined })).toEqual({});
});

test('given TLS and a user, then kafkajs is told both', () => {
  expect(securityFor({ tls: true, login: undefined })).toEqual({ ssl: true });
  expect(securityFor({ tls: true, login: LOGIN })).toEqual({ ssl: true, sasl: LOGIN });
});

test.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
  'given the mechanism %s, then kafkajs is told it',
  (mechanism) => {
    expect(securityFor({ tls: false, login: { ...LOGIN, mechanism } })).toEqual({ sasl: { ...LOGIN, mechanism } });
  },
);

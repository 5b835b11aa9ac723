import { expect, test } from '@jest/globals';
import { securityFor } from './security.ts';

const LOGIN = { mechanism: 'plain', username: 'surety', password: 'secret' } as const;

test('uses neither TLS nor SASL by default', () => {
  expect(securityFor(undefined)).toEqual({});
  expect(securityFor({ tls: false, login: undefined })).toEqual({});
});

test('passes TLS and user to kafkajs', () => {
  expect(securityFor({ tls: true, login: undefined })).toEqual({ ssl: true });
  expect(securityFor({ tls: true, login: LOGIN })).toEqual({ ssl: true, sasl: LOGIN });
});

test.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('passes the mechanism %s to kafkajs', (mechanism) => {
  expect(securityFor({ tls: false, login: { ...LOGIN, mechanism } })).toEqual({ sasl: { ...LOGIN, mechanism } });
});

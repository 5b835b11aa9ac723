import { expect, test } from '@jest/globals';
import { environment } from '#domain/environment/environment.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { given } from '#test/support/given.ts';
import { createEnvironment } from './create-environment.ts';

const ids = { environmentId: 7, clientId: derivedId('client'), merchantId: derivedId('merchant') };
const details = { environmentName: 'Production', testMode: true, timeZone: 'Africa/Lagos' };
const created = { type: 'EnvironmentCreated', data: { ...ids, ...details } };

test('CreateEnvironment records the environment with its ids', () => {
  const creation = {
    short_code: 'ACM-1A2B',
    environment_name: 'Production',
    test_mode: true,
    time_zone: 'Africa/Lagos',
  };
  given()
    .when(createEnvironment, { ...ids, creation })
    .then(created);
  expect(given(created).foldedBy(environment)).toEqual({ ...ids, ...details });
});

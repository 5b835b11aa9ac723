import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { readSettings } from '../config/config.ts';
import type { Installation } from '#stores/records/installation.ts';
import { secretHash } from '../security/start-secrets.ts';
import { requireSameSecret, SecretMismatch, type StartupOptions } from './installation-check.ts';

const HIDDEN = 'hidden';
const EVENTSTORE_URL = `esdb://someone:${HIDDEN}@one:2113`;
const MONGODB_URL = `mongodb://someone:${HIDDEN}@one/surety`;
const KAFKA_BROKERS = 'one:9092';
const SERVERS = { EVENTSTORE_URL, MONGODB_URL, KAFKA_BROKERS };
const [SECRET, OTHER] = ['one', 'two'].map((word) => `secret ${word} of thirty-two characters`) as [string, string];

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

const settingsOf = (variables: Readonly<Record<string, string>>) =>
  readSettings({ SURETY_DATA: place.folder, ...variables });

function mismatch(
  installation: Installation,
  variables: Readonly<Record<string, string>>,
  startup: StartupOptions = {},
) {
  try {
    requireSameSecret(installation, settingsOf(variables), startup);
  } catch (error) {
    if (!(error instanceof SecretMismatch)) throw error;
    expect(error.message).not.toContain(HIDDEN);
    return error.message.replaceAll(place.folder, 'FOLDER');
  }
  return undefined;
}

const SIGNED: Installation = { format: 1, relayStart: {}, secret: secretHash(SECRET) };
const OTHER_SECRET =
  /^The secret of this process is not the one .*: set SURETY_SECRET .*surety setup --change-secret [^\n]*\.$/;

test.each<[string, Record<string, string>, StartupOptions]>([
  ['a service with another secret', { ...SERVERS, SURETY_SECRET: OTHER }, { purpose: 'serve' }],
  ['a service without one', SERVERS, { purpose: 'serve' }],
  ['a set-up with another secret', { ...SERVERS, SURETY_SECRET: OTHER }, { purpose: 'setup' }],
])('rejects %s with instructions', (_, variables, startup) => {
  expect(mismatch(SIGNED, variables, startup)).toMatch(OTHER_SECRET);
});

test.each<[string, Record<string, string>, StartupOptions]>([
  ['the same secret', { ...SERVERS, SURETY_SECRET: SECRET }, { purpose: 'serve' }],
  [
    'a secret that is changed on purpose',
    { ...SERVERS, SURETY_SECRET: OTHER },
    { purpose: 'setup', changesSecret: true },
  ],
  ['a set-up that is given none', SERVERS, { purpose: 'setup' }],
  ['a tool, which signs nothing', { ...SERVERS, SURETY_SECRET: OTHER }, {}],
])('accepts %s', (_, variables, startup) => {
  expect(mismatch(SIGNED, variables, startup)).toBeUndefined();
});

test('compares the secret in the folder of a service', () => {
  mkdirSync(place.folder, { recursive: true });
  writeFileSync(join(place.folder, 'secret'), SECRET);
  expect(mismatch(SIGNED, SERVERS, { purpose: 'serve' })).toBeUndefined();
  expect(mismatch({ ...SIGNED, secret: secretHash(OTHER) }, SERVERS, { purpose: 'serve' })).toMatch(OTHER_SECRET);
});

test('accepts every secret for a new installation', () => {
  for (const variables of [SERVERS, {}])
    expect(mismatch({ format: 1, relayStart: {} }, variables, { purpose: 'serve' })).toBeUndefined();
});

test('accepts any secret for a folder', () => {
  expect(mismatch(SIGNED, { SURETY_SECRET: OTHER }, { purpose: 'serve' })).toBeUndefined();
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { readSettings } from '../config/config.ts';
import type { Installation } from '#stores/records/installation.ts';
import { secretHash } from '../security/start-secrets.ts';
import { InstallationMismatch, type StartupOptions, requireMatch } from './installation-check.ts';

const HIDDEN = 'hidden';
const EVENTSTORE_URL = `esdb://someone:${HIDDEN}@one:2113`;
const MONGODB_URL = `mongodb://someone:${HIDDEN}@one/surety`;
const KAFKA_BROKERS = 'one:9092';
const SERVERS = { EVENTSTORE_URL, MONGODB_URL, KAFKA_BROKERS };
const [SECRET, OTHER] = ['one', 'two'].map((word) => `secret ${word} of thirty-two characters`) as [string, string];

const ON_SERVERS: Installation = { format: 1, log: 'server', messaging: 'server', relayStart: {} };
const IN_FOLDER: Installation = { format: 1, log: 'embedded', messaging: 'embedded', relayStart: {} };

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
    requireMatch(installation, settingsOf(variables), startup);
  } catch (error) {
    if (!(error instanceof InstallationMismatch)) throw error;
    expect(error.message).not.toContain(HIDDEN);
    return error.message.replaceAll(place.folder, 'FOLDER');
  }
  return undefined;
}

const CHANGE =
  '; only if that was changed on purpose, run surety setup --change-stores (docs/runbook.md, Change the stores).';

test.each<[string, Installation, Record<string, string>, string]>([
  [
    'a log on a server',
    ON_SERVERS,
    { MONGODB_URL, KAFKA_BROKERS },
    'EVENTSTORE_URL is not set, but the installation whose records are in MongoDB was set up with its event log in EventStoreDB: set EVENTSTORE_URL',
  ],
  [
    'Kafka',
    ON_SERVERS,
    { EVENTSTORE_URL, MONGODB_URL },
    'KAFKA_BROKERS is not set, but the installation whose records are in MongoDB was set up with Kafka: set KAFKA_BROKERS',
  ],
  [
    'a log in the folder',
    { ...ON_SERVERS, log: 'embedded' },
    SERVERS,
    'EVENTSTORE_URL is set, but the installation whose records are in MongoDB was set up with its event log in the data folder: unset EVENTSTORE_URL',
  ],
  [
    'no Kafka, and records in a folder',
    IN_FOLDER,
    { KAFKA_BROKERS },
    'KAFKA_BROKERS is set, but the installation whose records are in the data folder FOLDER was set up with no Kafka: unset KAFKA_BROKERS, or set MONGODB_URL if the records are there',
  ],
])('reports settings that differ from an installation with %s', (_, installation, variables, message) => {
  expect(mismatch(installation, variables)).toBe(`${message}${CHANGE}`);
});

test('reports each difference on one line', () => {
  expect(mismatch(ON_SERVERS, {})?.split('\n')).toEqual([
    expect.stringMatching(/^EVENTSTORE_URL is not set, .* set EVENTSTORE_URL; /),
    expect.stringMatching(/^KAFKA_BROKERS is not set, .* set KAFKA_BROKERS; /),
  ]);
});

test('accepts every setting for a new installation', () => {
  for (const variables of [SERVERS, {}, { KAFKA_BROKERS }])
    expect(mismatch({ format: 1, relayStart: {} }, variables, { purpose: 'serve' })).toBeUndefined();
});

test('does not compare addresses', () => {
  expect(mismatch(ON_SERVERS, { ...SERVERS, EVENTSTORE_URL: 'esdb://two:2113' })).toBeUndefined();
});

test('compares Kafka only for roles that use it, and in every set-up', () => {
  const settings = { ...settingsOf({ EVENTSTORE_URL, MONGODB_URL }), roles: ['projector'] as const };
  requireMatch(ON_SERVERS, settings, {});
  expect(mismatch(ON_SERVERS, { EVENTSTORE_URL, MONGODB_URL }, { purpose: 'read' })).toBeUndefined();
  expect(() => requireMatch(ON_SERVERS, settings, { purpose: 'setup' })).toThrow('KAFKA_BROKERS is not set');
});

test('does not compare stores that are changed on purpose', () => {
  expect(mismatch(ON_SERVERS, {}, { purpose: 'setup', changes: ['stores'] })).toBeUndefined();
});

const SIGNED: Installation = { ...ON_SERVERS, secret: secretHash(SECRET) };
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
    { purpose: 'setup', changes: ['secret'] },
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

test('accepts any secret for records in a folder', () => {
  const installation = { ...IN_FOLDER, secret: secretHash(SECRET) };
  expect(mismatch(installation, { SURETY_SECRET: OTHER }, { purpose: 'serve' })).toBeUndefined();
});

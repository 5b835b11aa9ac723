import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { InvalidSettings, readSettings } from './config.ts';
import { SECRET_SETTINGS } from './values.ts';

const LOGIN = { KAFKA_SASL: 'plain', KAFKA_USERNAME: 'surety', KAFKA_BROKERS: 'one:9092' };
const ISSUER = {
  OIDC_ISSUER: 'https://accounts.example',
  OIDC_CLIENT_ID: 'surety',
  PUBLIC_URL: 'https://surety.example',
};
const VALUES: Readonly<Record<string, string>> = {
  SURETY_ADMIN_KEY: 'a'.repeat(32),
  SURETY_SECRET: 's'.repeat(32),
  SMTP_URL: 'smtp://user:word@mail.example:25',
  EVENTSTORE_URL: 'esdb://user:word@one:2113',
  MONGODB_URL: 'mongodb://user:word@one/surety',
  KAFKA_PASSWORD: ' a word ',
  OIDC_CLIENT_SECRET: 'a word of the issuer',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'surety-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(text: string): string {
  const file = join(mkdtempSync(join(folder, 'x')), 'secret');
  writeFileSync(file, text);
  return file;
}

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    readSettings(variables);
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems;
    throw error;
  }
  return [];
}

test('every secret setting is read from the file that NAME_FILE names', () => {
  expect(Object.keys(VALUES).toSorted()).toEqual([...SECRET_SETTINGS].toSorted());
  const files = Object.entries(VALUES).map(([name, value]) => [`${name}_FILE`, fileWith(`${value}\n`)]);
  const settings = { ...LOGIN, ...ISSUER };
  expect(readSettings({ ...settings, ...Object.fromEntries(files) })).toEqual(readSettings({ ...settings, ...VALUES }));
});

test('a secret and its file together are one problem', () => {
  expect(problemsOf({ SURETY_SECRET: 'too short', SURETY_SECRET_FILE: fileWith('s'.repeat(32)) })).toEqual([
    'SURETY_SECRET and SURETY_SECRET_FILE are both set: leave out one of them.',
  ]);
});

test('a missing, an empty and a wrong file are one problem each, without the secret', () => {
  const missing = join(folder, 'missing');
  expect(problemsOf({ ...LOGIN, KAFKA_PASSWORD_FILE: missing })).toEqual([
    `KAFKA_PASSWORD_FILE cannot be read: ENOENT: no such file or directory, open '${missing}'.`,
  ]);
  const empty = fileWith('\n');
  expect(problemsOf({ MONGODB_URL_FILE: empty })).toEqual([`MONGODB_URL_FILE names an empty file: ${empty}.`]);
  const wrong = fileWith('too short');
  expect(problemsOf({ SURETY_SECRET_FILE: wrong })).toEqual([
    `SURETY_SECRET in ${wrong} must be at least 32 characters long.`,
  ]);
});

test('a file of certificate authorities is named where it is missing or has no certificate', () => {
  const missing = join(folder, 'missing.pem');
  expect(problemsOf({ NODE_EXTRA_CA_CERTS: missing })).toEqual([
    `NODE_EXTRA_CA_CERTS cannot be read: ENOENT: no such file or directory, open '${missing}'.`,
  ]);
  expect(problemsOf({ NODE_EXTRA_CA_CERTS: fileWith('no certificate\n') })).toEqual([
    expect.stringMatching(/^NODE_EXTRA_CA_CERTS cannot be read: .*no start line\.$/),
  ]);
  expect(problemsOf({ NODE_EXTRA_CA_CERTS: fileWith(`${rootCertificates[0]}\n`) })).toEqual([]);
});

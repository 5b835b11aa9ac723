import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUp, temporaryFolder } from '../support/service-process.ts';
import { KAFKA } from './support/kafka-admin.ts';
import { MONGODB_URL } from './support/mongodb.ts';
import { RoleProcesses } from './support/role-processes.ts';

const [broker] = KAFKA.brokers;
const missing = [MONGODB_URL === undefined ? 'MONGODB_URL' : [], broker === undefined ? 'KAFKA_BROKERS' : []].flat();
const describeThere = missing.length === 0 ? describe : describe.skip;
const why = missing.length === 0 ? '' : ` (skipped: ${missing.join(' and ')} not set)`;

describeThere(`Tools without secrets on Kafka, MongoDB and a stand-in for EventStoreDB${why}`, () => {
  const processes = missing.length === 0 ? new RoleProcesses(MONGODB_URL ?? '', broker ?? '') : undefined;
  const base = temporaryFolder();
  const SURETY_DATA = join(base, 'data');
  beforeAll(async () => await processes?.startServers());
  afterAll(async () => {
    await processes?.dispose();
    await cleanUp(base, []);
  });

  const fileOf = (name: string, body: object): string => {
    writeFileSync(join(base, name), JSON.stringify(body));
    return join(base, name);
  };
  const run = async (words: readonly string[], additional: Record<string, string> = {}) =>
    await processes?.run(words, {
      SURETY_SECRET: '',
      SURETY_ADMIN_KEY: '',
      PUBLIC_URL: '',
      LOG_LEVEL: 'warn',
      SURETY_DATA,
      ...additional,
    });

  test('commands that do not serve create no key, secret or folder, and setup reports the missing secret', async () => {
    const setUp =
      'Surety is set up on its servers.\n' +
      'SURETY_SECRET is not set, so the first service that starts creates the secret of all of them.\n';
    expect(await run(['setup'])).toMatchObject({ code: 0, stdout: setUp, stderr: '' });
    expect(await run(['verify'])).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['verify'], { KAFKA_BROKERS: '' })).toMatchObject({ code: 0, stderr: '' });
    const merchant = fileOf('merchant.json', { name: 'Line', business_email: 'line@bank.example' });
    expect(await run(['command', 'RegisterMerchant', merchant])).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(SURETY_DATA)).toBe(false);
  });

  test('a command that needs the secret requires SURETY_SECRET and generates none', async () => {
    const link = fileOf('link.json', { short_code: 'LIN-0000', token: 'of some mail' });
    const stderr = 'SURETY_SECRET must be set to the secret with which the services sign the links in mails.\n';
    expect(await run(['command', 'VerifyMerchant', link])).toMatchObject({ code: 1, stdout: '', stderr });
    expect(await run(['command', 'VerifyMerchant', link], { KAFKA_BROKERS: '' })).toMatchObject({ code: 1, stderr });
    expect(existsSync(SURETY_DATA)).toBe(false);
  });
});

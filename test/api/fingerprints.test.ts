import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminCommands } from '../../src/admin/admin-commands.ts';
import { sha256 } from '../../src/event-sourcing/identifiers.ts';
import type { Refusal } from '../../src/domain/refusals.ts';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';

/**
 * Requests with an idempotency key, each with the command id and fingerprint of its idempotency record, by version of the
 * fingerprint. Records are stored forever, so samples are never edited; `checksums.json` has the SHA-256 of each.
 */
const SAMPLES = fileURLToPath(new URL('../fingerprints/', import.meta.url));

interface Sample {
  readonly file: string;
  readonly sender: 'merchant' | 'platform';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly commandId: string;
  readonly fingerprint: string;
}

const checksums = JSON.parse(readFileSync(`${SAMPLES}checksums.json`, 'utf8')) as Readonly<Record<string, string>>;
const versions = readdirSync(SAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ version: name, samples: readdirSync(SAMPLES + name).map((file) => read(`${name}/${file}`)) }));

function read(file: string): Sample {
  return { file, ...(JSON.parse(readFileSync(SAMPLES + file, 'utf8')) as Omit<Sample, 'file'>) };
}

test('the samples match the checksums', () => {
  const found = versions.flatMap(({ samples }) =>
    samples.map(({ file, ...sample }) => [file, sha256(JSON.stringify(sample))]),
  );
  expect(Object.fromEntries(found)).toEqual(checksums);
});

describe.each(versions)('A record with a $version fingerprint', ({ version, samples }) => {
  /** One service has the records of the samples, the other one records of other requests with the same keys. */
  let services: { readonly same: ApiService; readonly other: ApiService };
  let merchantKeys: { readonly same: string; readonly other: string };

  beforeAll(async () => {
    services = { same: await startApiService(), other: await startApiService() };
    merchantKeys = { same: await merchantKeyOf(services.same), other: await merchantKeyOf(services.other) };
  });

  afterAll(async () => {
    await services.same.stop();
    await services.other.stop();
  });

  const codeOf = async (which: 'same' | 'other', sample: Sample): Promise<string | undefined> => {
    const { sender, method, path, headers, body } = sample;
    const fingerprint = which === 'same' ? sample.fingerprint : sha256('another request');
    await appendRecord(services[which], version, { ...sample, fingerprint });
    const key = sender === 'platform' ? ADMIN_KEY : merchantKeys[which];
    return (await services[which].send(method, path, { key, raw: body, headers })).json?.code;
  };

  test.each(samples)('matches the request of $file and no other', async (sample) => {
    const refusalCodes = ['idempotency_key_reused', 'invalid_request', 'internal_error', 'unavailable'];
    expect(refusalCodes).not.toContain(await codeOf('same', sample));
    expect(await codeOf('other', sample)).toBe('idempotency_key_reused');
  });

  const commandSamples = samples.filter(({ path, body }) => path.includes('/admin/commands/R') && body.startsWith('{'));

  test.each(commandSamples)(
    'matches $file on the command line and no other',
    async ({ path, headers, body, commandId }) => {
      const run = async (which: 'same' | 'other'): Promise<unknown> =>
        await adminCommands(services[which].parts.commandPorts)
          .run(path.slice('/api/v1/admin/commands/'.length), JSON.parse(body), headers['Idempotency-Key'])
          .catch((error: unknown) => (error as Refusal).code);
      expect(await run('same')).toMatchObject({ commandId });
      expect(await run('other')).toBe('idempotency_key_reused');
    },
  );
});

test('a new record has a fingerprint of the newest version', async () => {
  const { version, samples } = versions.at(-1) ?? { version: '', samples: [] };
  const service = await startApiService();
  try {
    const merchantKey = await merchantKeyOf(service);
    const recorded = new Map<string, unknown>();
    for (const { sender, method, path, headers, body, commandId } of samples) {
      await service.send(method, path, { key: sender === 'platform' ? ADMIN_KEY : merchantKey, raw: body, headers });
      const [record] = await service.eventStore.readStream(`idempotency-${commandId}`);
      if (record !== undefined) recorded.set(commandId, record);
    }
    // The other requests are refused, because they name missing resources, and leave no record.
    const expected = samples.filter(({ commandId }) => recorded.has(commandId));
    expect(expected.length).toBeGreaterThanOrEqual(12);
    for (const sample of expected)
      expect(recorded.get(sample.commandId)).toMatchObject(recordedEvent(version, { fingerprint: sample.fingerprint }));
  } finally {
    await service.stop();
  }
});

/** Issues a merchant's key. The merchant id is the same in every run, because its command has an idempotency key. */
async function merchantKeyOf(service: ApiService): Promise<string> {
  const command = async (name: string, body: object) => {
    const headers = { 'Idempotency-Key': `fingerprints-${name}` };
    return (await service.send('POST', `/api/v1/admin/commands/${name}`, { key: ADMIN_KEY, body, headers })).json
      .result;
  };
  const { short_code } = await command('RegisterMerchant', { name: 'Acme', business_email: 'office@acme.example' });
  const environment = { short_code, environment_name: 'Production', test_mode: false };
  const { environment_id } = await command('CreateEnvironment', environment);
  return (await service.admin('IssueApiKey', { environment_id })).api_key;
}

/** The record is too old for its command to be in flight, so that the next request with the key does not wait. */
async function appendRecord(service: ApiService, version: string, { commandId, fingerprint }: Sample): Promise<void> {
  const recordedAt = '2026-03-01T00:00:00.000Z';
  const data = { effectiveAt: '2026-03-01', fingerprint, target: `provider-${commandId}`, decidedAt: recordedAt };
  await service.eventStore.append(`idempotency-${commandId}`, 'no_stream', [
    {
      id: randomUUID(),
      ...recordedEvent(version, data),
      metadata: {
        recordedAt,
        $correlationId: commandId,
        $causationId: commandId,
        actor: { role: 'admin', keyId: null },
        command: { name: 'Earlier', id: commandId },
      },
    },
  ]);
}

function recordedEvent(version: string, data: object): { readonly type: string; readonly data: object } {
  if (version === 'version-1') return { type: 'IdempotencyRecorded.v1', data };
  return { type: 'IdempotencyRecorded.v2', data: { ...data, fingerprintVersion: Number(version.split('-')[1]) } };
}

import { beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN, CommandHarness, LIVE, TEST } from '#test/support/command-harness.ts';
import { apiKeyStream, type KeyGrant } from '#domain/api-key/api-key.ts';
import { formatKey, hashKey, type KeyKind, keyIdFrom } from '#domain/api-key/key-format.ts';
import { personStream } from '#domain/person/person.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { Refusal } from '#domain/refusals.ts';
import { KeyRing } from './key-ring.ts';

const NOW = '2026-03-10T09:30:00.000Z';
const RIGHTS = { authority: null, access: 'full', expiresAt: null } as const;
const ADMIN_SECRET = 'a-secret-of-at-least-32-characters';
let harness: CommandHarness;
let ring: KeyRing;
let reads: number;

beforeEach(() => {
  harness = new CommandHarness();
  reads = 0;
  const eventStore = {
    readStream: async (stream: string) => {
      reads += 1;
      return await harness.eventStore.readStream(stream);
    },
  };
  ring = new KeyRing({ eventStore, records: harness.records, adminKey: ADMIN_SECRET, now: () => NOW });
});

async function issueKey(
  kind: KeyKind,
  grant: KeyGrant,
  name = 'one',
  rights: object = {},
): Promise<{ key: string; keyId: string }> {
  const keyId = keyIdFrom(name);
  const key = formatKey(kind, keyId, new Uint8Array(20).fill(name.length));
  const data = { keyId, keyHash: hashKey(key), label: name, grant, personId: null, ...RIGHTS, ...rights };
  await harness.given(apiKeyStream(keyId), { type: 'ApiKeyIssued', data });
  return { key, keyId };
}

async function codeOf(key: string | undefined): Promise<string> {
  try {
    await ring.authenticate(key);
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe('accepts', () => {
  test.each([
    ['live', LIVE],
    ['test', TEST],
  ] as const)('a merchant key of the %s mode', async (kind, where) => {
    const { key, keyId } = await issueKey(kind, { role: 'merchant', ...where });
    expect(await ring.authenticate(key)).toEqual({
      id: keyId,
      sessionsEnded: 0,
      reader: { role: 'merchant', ...where },
      actor: { role: 'merchant', keyId, label: 'one' },
      label: 'one',
      environment: where,
      person: null,
      ...RIGHTS,
    });
  });

  test.each(['claims', 'admin', 'auditor'] as const)(
    'a platform key of an %s, without an environment',
    async (role) => {
      const { key, keyId } = await issueKey('platform', { role });
      expect(await ring.authenticate(key)).toEqual({
        id: keyId,
        sessionsEnded: 0,
        reader: { role },
        actor: { role, keyId, label: 'one' },
        label: 'one',
        environment: undefined,
        person: null,
        ...RIGHTS,
      });
    },
  );

  test('the secret of the settings as administrator', async () => {
    expect(await ring.authenticate(ADMIN_SECRET)).toMatchObject({
      actor: { role: 'admin', keyId: 'settings', label: 'first admin key' },
      label: 'first admin key',
    });
    const keyId = keyIdFrom('of the settings');
    const key = formatKey('platform', keyId, new Uint8Array(20));
    const other = new KeyRing({
      eventStore: harness.eventStore,
      records: harness.records,
      adminKey: key,
      now: () => NOW,
    });
    expect((await other.authenticate(key)).actor).toEqual({ ...ADMIN, keyId, label: 'first admin key' });
    await expect(other.authenticate(ADMIN_SECRET)).rejects.toThrow(Refusal);
    const { id } = await ring.authenticate(ADMIN_SECRET);
    expect((await ring.authenticateById(id)).id).toBe(id);
    await expect(other.authenticateById(id)).rejects.toThrow(Refusal);
  });

  test('a cached key without reading its stream again', async () => {
    const { key } = await issueKey('live', { role: 'merchant', ...LIVE });
    for (let time = 0; time < 3; time++) await ring.authenticate(key);
    expect(reads).toBe(1);
  });
});

describe('a key of a person', () => {
  const personId = derivedId('person');
  const added = {
    personId,
    name: 'Ada',
    email: 'ada@surety.example',
    role: 'claims',
    merchant: null,
    providerId: null,
    authority: null,
    access: 'full',
  };
  const happens = async (type: string, data: object) => await harness.given(personStream(personId), { type, data });

  test('has the rights of the person as they are at each request, until the person is removed', async () => {
    const { key, keyId } = await issueKey('platform', { role: 'claims' }, 'one', { personId });
    expect(await codeOf(key)).toBe('api_key_invalid');
    await happens('PersonAdded', added);
    expect(await ring.authenticate(key)).toMatchObject({
      reader: { role: 'claims' },
      actor: { role: 'claims', keyId, personId, label: 'one' },
      person: { person_id: personId, name: 'Ada' },
    });
    const insurer = { role: 'insurer', providerId: derivedId('provider') };
    await happens('PersonUpdated', { personId, changes: { ...insurer, access: 'read' } });
    expect(await ring.authenticate(key)).toMatchObject({ reader: insurer, actor: { role: 'insurer' }, access: 'read' });
    await happens('PersonRemoved', { personId, reason: 'Left' });
    expect(await codeOf(key)).toBe('api_key_invalid');
  });

  test('of an environment works for a person of its merchant alone, one of the platform for no merchant', async () => {
    const { key } = await issueKey('live', { role: 'merchant', ...LIVE }, 'one', { personId });
    const { key: platform } = await issueKey('platform', { role: 'claims' }, 'other', { personId });
    await happens('PersonAdded', added);
    expect([await codeOf(key), await codeOf(platform)]).toEqual(['api_key_invalid', 'accepted']);
    for (const [merchantId, codes] of [
      [LIVE.merchantId, ['accepted', 'api_key_invalid']],
      [derivedId('another merchant'), ['api_key_invalid', 'api_key_invalid']],
    ] as const) {
      const merchant = { merchantId, shortCode: 'ACM-0000' };
      await happens('PersonUpdated', { personId, changes: { role: 'merchant', merchant } });
      expect([await codeOf(key), await codeOf(platform)]).toEqual(codes);
    }
  });
});

describe('rejects', () => {
  test('a key from its expiry on, and another secret as any invalid key', async () => {
    const { key, keyId } = await issueKey('platform', { role: 'admin' }, 'one', { expiresAt: NOW });
    expect(await codeOf(key)).toBe('api_key_expired');
    expect(await codeOf(formatKey('platform', keyId, new Uint8Array(20).fill(99)))).toBe('api_key_invalid');
    const later = '2026-03-10T09:30:00.001Z';
    const { key: usable } = await issueKey('platform', { role: 'admin' }, 'other', { expiresAt: later });
    expect(await codeOf(usable)).toBe('accepted');
  });

  test('a missing key', async () => {
    expect([await codeOf(undefined), await codeOf('')]).toEqual(['api_key_missing', 'api_key_missing']);
  });

  test('a key with the prefix of another kind', async () => {
    const { key } = await issueKey('platform', { role: 'merchant', ...LIVE });
    expect(await codeOf(key)).toBe('api_key_invalid');
    const { key: test } = await issueKey('live', { role: 'merchant', ...TEST }, 'other');
    expect(await codeOf(test)).toBe('api_key_invalid');
  });

  test('a revoked key, cached or not', async () => {
    const { key, keyId } = await issueKey('live', { role: 'merchant', ...LIVE });
    expect(await codeOf(key)).toBe('accepted');
    await harness.records.revokeKey(keyId);
    expect(await codeOf(key)).toBe('api_key_invalid');
  });

  test('a key that is revoked in the log only', async () => {
    const { key, keyId } = await issueKey('live', { role: 'merchant', ...LIVE });
    await harness.given(apiKeyStream(keyId), { type: 'ApiKeyRevoked', data: { keyId } });
    expect(await codeOf(key)).toBe('api_key_invalid');
  });

  test('another secret with a valid id, before and after the right one', async () => {
    const { key, keyId } = await issueKey('live', { role: 'merchant', ...LIVE });
    const forged = formatKey('live', keyId, new Uint8Array(20).fill(99));
    expect(await codeOf(forged)).toBe('api_key_invalid');
    expect(await codeOf(key)).toBe('accepted');
    expect(await codeOf(forged)).toBe('api_key_invalid');
    expect(await codeOf(key.slice(0, -1))).toBe('api_key_invalid');
  });

  test('a well-formed key that was never issued, without caching it', async () => {
    const unknown = formatKey('live', keyIdFrom('never'), new Uint8Array(20));
    expect([await codeOf(unknown), await codeOf(unknown)]).toEqual(['api_key_invalid', 'api_key_invalid']);
    expect(reads).toBe(2);
    await issueKey('live', { role: 'merchant', ...LIVE }, 'never');
    expect(await codeOf(formatKey('live', keyIdFrom('never'), new Uint8Array(20).fill(5)))).toBe('accepted');
  });

  test('other text without reading the log', async () => {
    for (const text of ['x', 'sk_live_', '\u0000', 'sk_live_aaaaaaaaaaaa_'.padEnd(54, 'b'), 'y'.repeat(10_000)]) {
      expect(await codeOf(text)).toBe('api_key_invalid');
    }
    expect(reads).toBe(0);
  });
});

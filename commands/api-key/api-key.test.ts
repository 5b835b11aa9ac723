import { beforeEach, describe, expect, test } from '@jest/globals';
import { apiKeyStream } from '#domain/api-key/api-key.ts';
import { hashKey, parseKey } from '#domain/api-key/key-format.ts';
import { setUpMerchant, setUpEnvironment, setUpPlatformKey } from '#test/support/admin-fixtures.ts';
import { CommandHarness, invalidFields } from '#test/support/command-harness.ts';
import { addPerson } from '../person/add-person.ts';
import { removePerson } from '../person/change-person.ts';
import { issueApiKey } from './issue-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

const PLATFORM = { role: 'admin', label: 'second administrator' };

/** Hash of the key that is stored. */
async function storedHash(keyId: unknown): Promise<unknown> {
  return (await h.data(apiKeyStream(String(keyId)), 0)).keyHash;
}

describe('IssueApiKey', () => {
  test.each([
    [false, 'live'],
    [true, 'test'],
  ])('issues a key of an environment (test mode %s: %s)', async (testMode, kind) => {
    const { shortCode, tenantId } = await setUpMerchant(h);
    const environmentId = await setUpEnvironment(h, shortCode, testMode);
    const { result } = await h.run(issueApiKey, { environment_id: environmentId, label: 'till' });
    expect(parseKey(String(result.api_key))).toEqual({ kind, keyId: result.key_id });
    const [event] = await h.events(apiKeyStream(String(result.key_id)));
    expect(event?.data).toMatchObject({
      keyHash: hashKey(String(result.api_key)),
      grant: { role: 'merchant', environmentId, testMode, merchantId: tenantId },
    });
    expect(event?.metadata).toMatchObject({ merchant: tenantId, testMode });
    expect(JSON.stringify(await h.eventStore.readStream(apiKeyStream(String(result.key_id))), asText)).not.toContain(
      String(result.api_key).slice(-33),
    );
  });

  test.each(['claims', 'admin', 'auditor'])('issues a platform key (%s)', async (role) => {
    const { result } = await h.run(issueApiKey, { role, label: '  Claims   desk ' });
    expect(parseKey(String(result.api_key))?.kind).toBe('platform');
    const [event] = await h.events(apiKeyStream(String(result.key_id)));
    expect(event?.data).toMatchObject({ grant: { role }, label: 'Claims   desk' });
  });

  test('returns the key once, and null for a repeated request', async () => {
    const first = await h.run(issueApiKey, PLATFORM, { key: 'k' });
    const log = await h.log();
    const again = await h.run(issueApiKey, PLATFORM, { key: 'k' });
    expect(first.result.api_key).toMatch(/^sk_platform_/);
    expect(again.result).toEqual({ key_id: first.result.key_id, api_key: null });
    expect(await h.log()).toEqual(log);
  });

  test('returns the valid key to one of several concurrent requests', async () => {
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => h.run(issueApiKey, PLATFORM, { key: 'k' })));
    const shown = outcomes.flatMap(({ result }) => (typeof result.api_key === 'string' ? [result.api_key] : []));
    expect(shown).toHaveLength(1);
    expect(await storedHash(outcomes[0]?.result.key_id)).toBe(hashKey(shown.join()));
  });

  test('never returns a key that a concurrent repetition replaced', async () => {
    let repeated: unknown;
    h.eventStore.beforeAppend = async (stream) => {
      if (!stream.startsWith('apiKey-')) return;
      h.eventStore.beforeAppend = () => {};
      repeated = (await h.run(issueApiKey, PLATFORM, { key: 'k' })).result.api_key;
    };
    const slow = await h.run(issueApiKey, PLATFORM, { key: 'k' });
    expect(slow.result.api_key).toBeNull();
    expect(await storedHash(slow.result.key_id)).toBe(hashKey(String(repeated)));
  });

  test('rejects an unknown environment', async () => {
    expect((await h.expectRefusal(issueApiKey, { environment_id: 9, label: 'till' })).code).toBe(
      'environment_not_found',
    );
  });

  test.each([
    ['neither', { label: 'till' }],
    ['both', { environment_id: 1, role: 'admin', label: 'till' }],
  ])('needs either environment or role: %s', async (_case, input) => {
    expect(invalidFields(await h.expectRefusal(issueApiKey, input))).toEqual(['environment_id', 'role']);
  });

  test('names every invalid field', async () => {
    const refusal = await h.expectRefusal(issueApiKey, { environment_id: 'one', role: 'merchant', label: ' ' });
    expect(invalidFields(refusal).sort()).toEqual(['environment_id', 'label', 'role']);
    expect(invalidFields(await h.expectRefusal(issueApiKey, { ...PLATFORM, label: '\u200b' }))).toEqual(['label']);
  });

  test('needs a label of one line and at most 120 characters', async () => {
    for (const label of [undefined, null, '', 'two\nlines', 'x'.repeat(121)])
      expect(invalidFields(await h.expectRefusal(issueApiKey, { role: 'admin', label }))).toEqual(['label']);
    expect((await h.run(issueApiKey, { role: 'admin', label: 'x'.repeat(120) })).created).toBe(true);
  });
});

describe('IssueApiKey of a person', () => {
  const person = async (changes: object): Promise<string> => {
    const input = { name: 'Ada', email: 'ada@surety.example', role: 'claims', ...changes };
    return String((await h.run(addPerson, input)).result.person_id);
  };

  test('needs an environment of its merchant for a person of a merchant, and no environment for another', async () => {
    const { shortCode } = await setUpMerchant(h);
    const environment_id = await setUpEnvironment(h, shortCode, true);
    const other = await setUpEnvironment(h, (await setUpMerchant(h, { name: 'Beta' })).shortCode);
    const agent = await person({ role: 'merchant', short_code: shortCode });
    const handler = await person({ email: 'b@surety.example' });
    for (const input of [
      { person_id: agent },
      { person_id: agent, environment_id: other },
      { person_id: handler, environment_id },
    ])
      expect(invalidFields(await h.expectRefusal(issueApiKey, { ...input, label: 'x' }))).toEqual(['environment_id']);
    const { result } = await h.run(issueApiKey, { person_id: agent, environment_id, label: 'till' });
    expect(parseKey(String(result.api_key))?.kind).toBe('test');
    const { result: ofHandler } = await h.run(issueApiKey, { person_id: handler, label: 'laptop' });
    const [event] = await h.events(apiKeyStream(String(ofHandler.key_id)));
    expect(event?.data).toMatchObject({ personId: handler, grant: { role: 'claims' } });
  });

  test('takes no role, authority or access, and no removed person', async () => {
    const person_id = await person({});
    for (const [more, fields] of [
      [{ role: 'admin' }, ['environment_id', 'role']],
      [{ authority: { currency: 'NGN' } }, ['authority']],
      [{ access: 'read' }, ['access']],
      [{ expires_at: '2020-01-01T00:00:00.000Z' }, ['expires_at']],
    ] as const)
      expect(invalidFields(await h.expectRefusal(issueApiKey, { person_id, label: 'x', ...more }))).toEqual(fields);
    await h.run(removePerson, { person_id, reason: 'Left' });
    expect((await h.expectRefusal(issueApiKey, { person_id, label: 'x' })).code).toBe('person_removed');
  });
});

describe('RevokeApiKey', () => {
  test('adds the key to the revoked keys before its event', async () => {
    const keyId = await setUpPlatformKey(h);
    let listedBefore: boolean | undefined;
    h.eventStore.beforeAppend = async (stream) => {
      if (stream === apiKeyStream(keyId)) listedBefore = await h.records.isKeyRevoked(keyId);
    };
    const outcome = await h.run(revokeApiKey, { key_id: keyId });
    expect(outcome).toMatchObject({ created: false, result: {}, revision: 1 });
    expect(listedBefore).toBe(true);
  });

  test('revokes once; a second request is rejected but revokes the key in the list again', async () => {
    const keyId = await setUpPlatformKey(h);
    await h.run(revokeApiKey, { key_id: keyId }, { key: 'k' });
    const log = await h.log();
    expect((await h.run(revokeApiKey, { key_id: keyId }, { key: 'k' })).replayed).toBe(true);
    const restored = new CommandHarness();
    await restored.given(
      apiKeyStream(keyId),
      ...(await h.events(apiKeyStream(keyId))).map(({ type, data }) => ({ type, data: data as object })),
    );
    expect((await restored.expectRefusal(revokeApiKey, { key_id: keyId })).code).toBe('key_already_revoked');
    expect(await restored.records.isKeyRevoked(keyId)).toBe(true);
    expect(await h.log()).toEqual(log);
  });

  test('rejects an unknown key and revokes nothing', async () => {
    expect((await h.expectRefusal(revokeApiKey, { key_id: 'nobody' })).code).toBe('key_not_found');
    expect(await h.records.isKeyRevoked('nobody')).toBe(false);
  });
});

function asText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

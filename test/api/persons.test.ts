import { expect, test } from '@jest/globals';
import { ADMIN_KEY } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const add = async (name: string, input: object): Promise<string> =>
  String(
    (await service.admin('AddPerson', { name, email: `${name.toLowerCase()}@surety.example`, ...input })).person_id,
  );
const keyOf = async (person_id: string, input: object = {}) =>
  (await service.admin('IssueApiKey', { person_id, label: 'laptop', ...input })) as {
    readonly key_id: string;
    readonly api_key: string;
  };
const get = async (path: string, key: string) => await service.send('GET', `/api/v1/${path}`, { key });

test('A person is listed, acts under the own name and rights, and ends with the removal', async () => {
  const person_id = await add('Ada', { role: 'claims', authority: { currency: 'NGN', approve_up_to: '5' } });
  const { key_id, api_key } = await keyOf(person_id, { expires_at: '2031-01-01T00:00:00.000Z' });
  const list = await get('admin/persons/', ADMIN_KEY);
  expectDocumentedBody(list, getRoute(service, 'GET', '/api/v1/admin/persons'));
  expect(list.json.results).toContainEqual(expect.objectContaining({ person_id, name: 'Ada', role: 'claims' }));
  const me = await get('me', api_key);
  expectDocumentedBody(me, getRoute(service, 'GET', '/api/v1/me'));
  expect(me.json).toMatchObject({
    role: 'claims',
    person: { person_id, name: 'Ada' },
    authority: { currency: 'NGN', approve_up_to: '5.00', pay_up_to: null, reserve_up_to: null },
    access: 'full',
    expires_at: '2031-01-01T00:00:00.000Z',
    merchant: null,
  });

  const { claimId } = acme.live;
  const review = async () =>
    await service.send('POST', '/api/v1/admin/commands/ReviewClaim', { key: api_key, body: { claim_id: claimId } });
  await service.admin('UpdatePerson', { person_id, access: 'read' });
  expect((await review()).status).toBe(403);
  await service.admin('UpdatePerson', { person_id, access: 'full' });
  expect((await review()).status).toBe(200);
  const actor = async (key: string) => (await get(`claims/${claimId}/history/`, key)).json.results.at(-1).actor;
  expect(await actor(ADMIN_KEY)).toEqual({ role: 'claims', key_id, person_id, label: 'Ada' });
  expect(await actor(acme.live.key)).toEqual({ role: 'claims', key_id: null, person_id: null, label: null });
  await service.admin('UpdatePerson', { person_id, name: 'Ada Obi' });
  expect(await actor(ADMIN_KEY)).toMatchObject({ label: 'Ada Obi' });
  const customer = await get(`customers/${acme.live.customerId}/history/?limit=100`, ADMIN_KEY);
  expect(customer.json.results.at(-1).actor).toMatchObject({ person_id, label: 'Ada Obi' });
  const { metadata } = (await service.log()).findLast(({ type }) => type === 'ClaimReviewStarted.v1') ?? {};
  expect(JSON.stringify(metadata)).not.toContain('Ada');

  await service.admin('RemovePerson', { person_id, reason: 'Left' });
  expect((await get('me', api_key)).json.code).toBe('api_key_invalid');
  expect(await actor(ADMIN_KEY)).toMatchObject({ label: 'Ada Obi' });
});

test('A note shows its author by name as it is now, and to a merchant the role alone', async () => {
  const person_id = await add('Efe', { role: 'claims' });
  const { api_key } = await keyOf(person_id);
  const { claimId } = acme.live;
  for (const [key, text] of [
    [api_key, 'By a person'],
    [ADMIN_KEY, 'By a key'],
  ] as const) {
    const body = { claim_id: claimId, text };
    expect((await service.send('POST', '/api/v1/admin/commands/AddClaimNote', { key, body })).status).toBe(201);
  }
  const note = { key: acme.live.key, body: { text: 'By the merchant' } };
  const added = (await service.send('POST', `/api/v1/claims/${claimId}/notes`, note)).json.note_entries;
  const authorsIn = (entries: readonly { readonly by: string }[]) => entries.map(({ by }) => by).slice(-3);
  const label = (await service.log()).findLast(({ type }) => type === 'ClaimNoteAdded.v1')?.metadata as {
    readonly actor: { readonly label: string };
  };
  const ofMerchant = ['claims', 'admin', label.actor.label];
  const ofPlatform = ['Efe Obi', 'first admin key', label.actor.label];
  expect(authorsIn(added)).toEqual(ofMerchant);
  const tag = (await get(`claims/${claimId}`, ADMIN_KEY)).headers.get('etag');
  await service.admin('UpdatePerson', { person_id, name: 'Efe Obi' });
  expect((await get(`claims/${claimId}`, ADMIN_KEY)).headers.get('etag')).not.toBe(tag);
  for (const [key, authors] of [
    [ADMIN_KEY, ofPlatform],
    [acme.live.key, ofMerchant],
  ] as const) {
    for (const point of ['', `?known_at=${service.clock.now}`])
      expect(authorsIn((await get(`claims/${claimId}${point}`, key)).json.note_entries)).toEqual(authors);
    const list = (await get(`merchants/${acme.shortCode}/claims/`, key)).json.results;
    const item = list.find(({ claim_id }: { readonly claim_id: string }) => claim_id === claimId);
    expect(authorsIn(item.note_entries)).toEqual(authors);
    for (const history of [`claims/${claimId}`, `customers/${acme.live.customerId}`]) {
      const { results } = (await get(`${history}/history/?limit=100`, key)).json;
      const changes = results.flatMap((entry: { readonly changes: readonly object[] }) => entry.changes);
      const notes = changes.filter(({ path }: { readonly path: string }) => /^\/note_entries\/\d+$/.test(path));
      expect(authorsIn(notes.map(({ after }: { readonly after: { readonly by: string } }) => after))).toEqual(authors);
    }
  }
});

test('A person of a merchant sees that merchant alone, in the mode of the key', async () => {
  const beta = await createMerchant(service, 'Beta');
  const person_id = await add('Bola', { role: 'merchant', short_code: acme.shortCode });
  const { api_key } = await keyOf(person_id, { environment_id: acme.test.environmentId });
  expect((await get(`policies/${acme.test.policyId}`, api_key)).status).toBe(200);
  for (const { policyId } of [acme.live, beta.test])
    expect((await get(`policies/${policyId}`, api_key)).json.code).toBe('policy_not_found');
  // The key is of an environment of the former merchant.
  await service.admin('UpdatePerson', { person_id, short_code: beta.shortCode });
  expect((await get('me', api_key)).json.code).toBe('api_key_invalid');
});

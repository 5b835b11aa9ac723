import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { appendTo } from '#stores/event-log/event-log.ts';
import { structuredEvent } from '#public-events/translate.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { createMerchant, type EnvironmentFixture, importTerm, termRow } from '../support/merchant-fixture.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { messageOf } from '../support/translator.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');
const { provider_id } = await service.admin('RegisterProvider', {
  name: 'An insurer',
  support_email: 'a@b.example',
  support_phone: '1',
});

async function read(search = '', key = acme.live.key, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return await service.send('GET', `/api/v1/events/${search}`, { key, headers });
}

interface CloudEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
}

function idsOf({ json }: ApiResponse): readonly string[] {
  return (json as CloudEvent[]).map(({ id }) => id);
}

/** Returns the structured events of the log that a reader may see, by topic and merchant. */
async function expectedFor(merchant: string | undefined, isTest: boolean): Promise<readonly string[]> {
  return (await service.log()).flatMap((event) => {
    const message = messageOf(event);
    if (message === undefined) return [];
    const { merchant: tag } = event.metadata as { readonly merchant?: string };
    const { visibility } = JSON.parse(message.value) as { readonly visibility?: string };
    const isOfBoth = message.topic === 'surety.merchants.v1' || visibility === 'both';
    const isOfMode = isOfBoth || message.topic.startsWith('surety.test.') === isTest;
    const isOfCatalogue = /\.(?:providers|products)\.v1$/.test(message.topic);
    const isOfMerchant = merchant === undefined || (tag === merchant && !isOfCatalogue);
    return isOfMode && isOfMerchant ? [structuredEvent(message)] : [];
  });
}

describe('The feed', () => {
  test.each<[string, () => string, () => string | undefined, boolean, string]>([
    ['a live key', () => acme.live.key, () => acme.tenantId, false, ''],
    ['a test key', () => acme.test.key, () => acme.tenantId, true, ''],
    ['another merchant', () => beta.live.key, () => beta.tenantId, false, ''],
    ['the platform', () => ADMIN_KEY, () => undefined, false, '&test_mode=false'],
    ['the platform in test mode', () => ADMIN_KEY, () => undefined, true, '&test_mode=true'],
  ])('has for %s its events in the order of the log, byte for byte', async (_who, key, merchant, isTest, more) => {
    const expected = await expectedFor(merchant(), isTest);
    expect(expected.length).toBeGreaterThan(2);
    const response = await read(`?limit=1000${more}`, key());
    expect(response.text).toBe(`[${expected.join(',')}]`);
    const walked: string[] = [];
    for (let search = `?limit=2&after=0${more}`; ; ) {
      const page = await read(search, key());
      walked.push(...(page.json as object[]).map((event) => JSON.stringify(event)));
      if ((page.json as object[]).length === 0) break;
      search = new URL(linkOf(page)).search;
    }
    expect(walked).toEqual(expected);
  });

  test('is a batch of CloudEvents, and JSON to who asks for it; its link and position lead to the next page', async () => {
    const page = await read('?limit=2');
    expect(page.headers.get('content-type')).toBe('application/cloudevents-batch+json; charset=utf-8');
    const asJson = await read('?limit=2', acme.live.key, { Accept: 'application/json' });
    expect(asJson.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(asJson.text).toBe(page.text);
    expect(linkOf(page)).toBe(`${service.url}/api/v1/events/?limit=2&lastEventId=${idsOf(page).at(-1)}`);
    const position = page.headers.get('surety-position') ?? '';
    expect(position).toBe(String(await service.eventStore.lastPosition()));
    const end = await read(`?after=${position}`);
    expect([end.text, end.headers.get('surety-position')]).toEqual(['[]', position]);
    expect(linkOf(end)).toBe(`${service.url}/api/v1/events/?after=${position}`);
    expect((await read(`?after=${position}`, acme.live.key, { 'Surety-Min-Position': position })).status).toBe(200);
  });

  test('shows one subject alone, and of another merchant nothing', async () => {
    const ofPolicy = await read(`?subject=${acme.live.policyId}`);
    const all = (await read('?limit=1000')).json as CloudEvent[];
    expect(ofPolicy.json).toEqual(all.filter(({ subject }) => subject === acme.live.policyId));
    expect((ofPolicy.json as object[]).length).toBeGreaterThan(0);
    expect((await read(`?subject=${acme.tenantId}`)).json).toMatchObject([{ type: 'surety.merchant.registered.v1' }]);
    for (const [subject, key] of [
      [acme.live.policyId, beta.live.key],
      [acme.live.policyId, acme.test.key],
      [provider_id, acme.live.key],
      [randomUUID(), acme.live.key],
    ])
      expect((await read(`?subject=${subject}`, key)).text).toBe('[]');
    expect((await read(`?subject=${provider_id}`, ADMIN_KEY)).json).toMatchObject([{ subject: provider_id }]);
  });

  test('refuses a cursor that it has not shown to the key', async () => {
    const [foreign] = idsOf(await read('?limit=1', beta.live.key));
    const [ofTest] = idsOf(await read(`?limit=1&subject=${acme.test.policyId}`, acme.test.key));
    const { id: internal } = (await service.log()).find(({ type }) => type.startsWith('Customer')) ?? { id: '' };
    for (const id of [foreign, ofTest, internal, randomUUID()]) {
      const { status, json } = await read(`?lastEventId=${id}`);
      expect([status, json.code, json.errors[0].field]).toEqual([400, 'cursor_unknown', 'lastEventId']);
      expect(json.detail).toMatch(/is no event of this feed\. .*backup was restored.*from the beginning \(after=0\)/);
    }
    const beyond = await read(`?after=${((await service.eventStore.lastPosition()) ?? 0n) + 1n}`);
    expect([beyond.status, beyond.json.code]).toEqual([400, 'cursor_unknown']);
    const [own] = idsOf(await read('?limit=1'));
    for (const [search, field] of [
      [`?lastEventId=${own}&after=0`, 'after'],
      ['?lastEventId=x', 'lastEventId'],
      ['?after=-1', 'after'],
      ['?limit=1001', 'limit'],
      ['?timeout=30001', 'timeout'],
      ['?test_mode=true', 'test_mode'],
    ]) {
      const { status, json } = await read(search);
      expect([status, json.errors[0].field]).toEqual([400, field]);
    }
  });
});

function linkOf({ headers }: ApiResponse): string {
  return /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
}

describe('A poll', () => {
  const importFor = async ({ environmentId }: EnvironmentFixture) =>
    await importTerm(service, environmentId, termRow(`POLL-${randomUUID()}`));
  /** Starts a poll at the end of the feed, and waits until it waits. */
  const poll = async (search = '', key = acme.live.key, timeout = 20_000) => {
    const position = (await read('?limit=1', key)).headers.get('surety-position');
    const before = await waitingPolls();
    const response = read(`?after=${position}&timeout=${timeout}${search}`, key);
    await waitUntil(async () => (await waitingPolls()) > before);
    return response;
  };
  const waitingPolls = async (): Promise<number> =>
    Number(/^surety_feed_polls (\d+)$/m.exec((await service.send('GET', '/metrics')).text)?.[1]);

  test('answers when an event comes that it shows, and not with those of others', async () => {
    const response = poll();
    await waitUntil(async () => (await waitingPolls()) === 1);
    for (const other of [acme.test, beta.live]) await importFor(other);
    await service.admin('UpdateProvider', { provider_id, address: 'Elsewhere' });
    expect(await waitingPolls()).toBe(1);
    const { policy_id } = await importFor(acme.live);
    expect((await response).json).toMatchObject([{ subject: policy_id }]);
  });

  test('of a subject goes on waiting when an event of another one comes', async () => {
    const response = poll(`&subject=${acme.live.policyId}`);
    await waitUntil(async () => (await waitingPolls()) === 1);
    await importFor(acme.live);
    expect(await waitingPolls()).toBe(1);
    await service.send('POST', `/api/v1/policies/${acme.live.policyId}/auto_renew`, {
      key: acme.live.key,
      body: { auto_renew: true },
    });
    expect((await response).json).toMatchObject([{ type: 'surety.policy.auto_renewal_switched.v1' }]);
  });

  test('ends without an event after its time', async () => {
    const { headers } = await read('?limit=1');
    const response = await read(`?after=${headers.get('surety-position')}&timeout=300`);
    expect([response.status, response.text, response.headers.get('retry-after')]).toEqual([200, '[]', null]);
  });

  test('is refused to wait where eight of the key wait, and not to another key', async () => {
    const waiting = Array.from({ length: 8 }, async () => await poll());
    await waitUntil(async () => (await waitingPolls()) === 8);
    const position = (await read('?limit=1')).headers.get('surety-position');
    const ninth = await read(`?after=${position}&timeout=20000`);
    expect([ninth.text, ninth.headers.get('retry-after')]).toEqual(['[]', '1']);
    expect((await read(`?after=${position}&timeout=100`, beta.live.key)).headers.get('retry-after')).toBeNull();
    const { policy_id } = await importFor(acme.live);
    for (const response of waiting) expect((await response).json).toMatchObject([{ subject: policy_id }]);
    expect(await waitingPolls()).toBe(0);
  });

  test('answers with no event to a key that was revoked meanwhile', async () => {
    const { key_id, api_key } = await service.admin('IssueApiKey', {
      environment_id: acme.live.environmentId,
      label: 'short-lived',
    });
    const response = poll('', api_key);
    await waitUntil(async () => (await waitingPolls()) === 1);
    await service.admin('RevokeApiKey', { key_id });
    await importFor(acme.live);
    expect((await response).json.code).toBe('api_key_invalid');
  });

  test('does not answer a poll of a person who got a role that does not read the feed meanwhile', async () => {
    const person = { name: 'Ada', email: 'ada@surety.example', role: 'auditor' };
    const { person_id } = await service.admin('AddPerson', person);
    const { api_key } = await service.admin('IssueApiKey', { person_id, label: 'laptop' });
    const response = poll('', String(api_key));
    await waitUntil(async () => (await waitingPolls()) === 1);
    await service.admin('UpdatePerson', { person_id, role: 'claims' });
    await importFor(acme.live);
    expect((await response).json.code).toBe('forbidden');
  });

  test('stops at an event that this version cannot read, in the feeds that would show it', async () => {
    const { live, tenantId } = await createMerchant(service, 'Gamma');
    const stream = `policy-${live.policyId}`;
    const { metadata, revision = 0 } = (await service.eventStore.readLast(stream)) ?? {};
    const { position: start } = service.projector.status();
    const event = { id: randomUUID(), type: 'PolicyPromised.v9', data: {}, metadata };
    const { position } = await appendTo(service.eventStore, stream, revision, [event]);
    await service.projector.waitFor(position, 5_000);
    const page = await read('?limit=1000', live.key);
    expect(page.status).toBe(200);
    expect(JSON.stringify(page.json)).toContain(tenantId);
    const stopped = await read(`?lastEventId=${idsOf(page).at(-1)}&timeout=1000`, live.key);
    expect([stopped.status, stopped.json.code, stopped.json.position]).toEqual([
      503,
      'event_unreadable',
      String(position),
    ]);
    expect(stopped.headers.get('retry-after')).toBe('60');
    expect((await read(`?after=${start}`, ADMIN_KEY)).status).toBe(503);
    expect((await read(`?after=${start}`)).status).toBe(200);
  });
});

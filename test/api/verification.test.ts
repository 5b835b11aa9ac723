import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunVerification } from '../../src/projector/verification.ts';
import type { StoredDocument } from '../../src/read-models/read-models.ts';
import { StoreUnavailable } from '../../src/store-unavailable.ts';
import { ADMIN_KEY, type ApiResponse, type ApiService, startApiService } from '../support/api-service.ts';
import { getRoute } from '../support/api-shape.ts';
import { createMerchant, type MerchantFixture } from '../support/merchant-fixture.ts';
import { writeDocuments } from '../support/write-documents.ts';

const PATH = '/api/v1/admin/verification/';
const UNTIL_STOPPED = { step: 'fold', count: 1, share: 0.5, position: 1n, head: 2n } as const;

let service: ApiService;
let acme: MerchantFixture;
let auditor: string;

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
  ({ api_key: auditor } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' }));
});

afterAll(async () => {
  await service.stop();
});

const verify = async (key = ADMIN_KEY, from = service): Promise<ApiResponse> => await from.send('GET', PATH, { key });

const linesOf = ({ text }: ApiResponse) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Waits until the read models reflect the whole log, and returns their position. */
async function catchUp(): Promise<bigint> {
  const head = (await service.eventStore.lastPosition()) ?? 0n;
  expect(await service.projector.waitFor(head, 10_000)).toBe(true);
  return service.projector.status().position ?? head;
}

describe('The verification', () => {
  test.each([
    ['an administrator', () => ADMIN_KEY],
    ['an auditor', () => auditor],
  ])('streams progress and a sum to %s', async (_role, key) => {
    const head = String(await catchUp());
    const answer = await verify(key());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const lines = linesOf(answer);
    const { answer: schema } = getRoute(service, 'GET', '/api/v1/admin/verification').reference;
    for (const line of lines) expect(schema.safeParse(line).error?.issues ?? []).toEqual([]);
    const none = { moved_on: 0, differing: 0, missing: 0, surplus: 0, parked: 0 };
    const log = { events: expect.any(Number), log_up_to: head, faults: 0 };
    const sum = {
      type: 'sum',
      ...log,
      up_to: head,
      compared: expect.any(Number),
      ...none,
      contents: expect.any(Number),
    };
    expect(lines.at(-1)).toEqual(sum);
    expect(lines.at(-1).compared).toBeGreaterThan(10);
    for (const line of lines.slice(0, -1)) expect(line).toMatchObject({ type: 'progress', head });
    expect(lines[0]).toMatchObject({ step: 'log' });
  });

  test('names every document that differs, is missing or is surplus', async () => {
    const head = await catchUp();
    const { readModels } = service;
    const [policy] = await readModels.getMany('policies', [acme.live.policyId]);
    const stored = policy as StoredDocument;
    const wrong = { ...stored, body: stored.body?.replace('"premium":"365.00"', '"premium":"1.00"') };
    const surplus = { ...stored, key: 'no-policy' };
    await writeDocuments(readModels, 'policies', [wrong, surplus], head);
    const lines = linesOf(await verify());
    expect(lines.filter(({ type }) => type === 'document')).toEqual([
      { type: 'document', collection: 'policies', key: stored.key, what: 'differing', pointers: expect.any(Array) },
      { type: 'document', collection: 'policies', key: 'no-policy', what: 'surplus', pointers: [] },
    ]);
    expect(lines.find(({ what }) => what === 'differing').pointers).toContain('/body/view/premium');
    expect(lines.at(-1)).toMatchObject({ differing: 1, missing: 0, surplus: 1 });
  });

  test("is refused to a merchant's key, and with a parameter", async () => {
    expect((await verify(acme.live.key)).json).toMatchObject({ status: 403, code: 'forbidden' });
    const answer = await service.send('GET', `${PATH}?collection=policies`, { key: ADMIN_KEY });
    expect(answer.json).toMatchObject({ status: 400, errors: [{ field: 'collection' }] });
  });

  test('runs one at a time', async () => {
    const answers = await Promise.all([verify(), verify()]);
    const refused = answers.find(({ status }) => status === 429);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
    expect(refused?.json.code).toBe('verification_running');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('A verification in progress', () => {
  test('ends when the client leaves', async () => {
    const ended = Promise.withResolvers<void>();
    const runVerification: RunVerification = async (signal, onProgress) => {
      onProgress(UNTIL_STOPPED);
      await once(signal, 'abort');
      ended.resolve();
      throw signal.reason;
    };
    const waiting = await startApiService({ http: { runVerification } });
    const request = httpRequest(`${waiting.url}${PATH}`, { headers: { 'X-API-Key': ADMIN_KEY } }).on('error', () => {});
    request.end();
    const [response] = await once(request, 'response');
    const [line] = await once(response, 'data');
    expect(JSON.parse(line)).toMatchObject({ type: 'progress', position: '1', head: '2' });
    request.destroy();
    await ended.promise;
    await waiting.stop();
    expect(waiting.logged.filter((entry) => JSON.parse(entry).level >= 50)).toEqual([]);
  });

  test('reports an outage as its last line, and one before the first line as a problem', async () => {
    const outage = new StoreUnavailable('The disk is gone', { store: 'SQLite' });
    let begins = true;
    const runVerification: RunVerification = async (_signal, onProgress) => {
      if (begins) onProgress(UNTIL_STOPPED);
      await nextTurn();
      throw outage;
    };
    const failing = await startApiService({ http: { runVerification } });
    expect(linesOf(await verify(ADMIN_KEY, failing)).at(-1)).toMatchObject({ type: 'problem', code: 'unavailable' });
    begins = false;
    expect((await verify(ADMIN_KEY, failing)).json).toMatchObject({ status: 503, code: 'unavailable' });
    await failing.stop();
  });
});

test('Nothing is verified for HEAD, or while the read models are built', async () => {
  let isBuilding = false;
  const idle = await startApiService({
    projector: (real) => ({
      waitFor: async (...parameters) => await real.waitFor(...parameters),
      status: () => real.status(),
      initialBuildProgress: () => (isBuilding ? { position: 1n, head: 2n } : undefined),
    }),
    http: { runVerification: async () => await Promise.reject(new Error('it was called')) },
  });
  const head = await idle.send('HEAD', PATH, { key: ADMIN_KEY });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  isBuilding = true;
  expect((await verify(ADMIN_KEY, idle)).json).toMatchObject({ status: 503, code: 'read_models_building' });
  await idle.stop();
});

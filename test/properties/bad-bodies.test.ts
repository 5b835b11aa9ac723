import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { COMMANDS } from '../../commands/registry.ts';
import { parseBody } from '../../src/http/bodies/command-body.ts';
import { inputSchemaOf } from '../../src/http/bodies/coerce.ts';
import { bodyTypeOf } from '../../src/http/bodies/media-type.ts';
import { makeMerchant, type MerchantScene } from '../support/api-scene.ts';
import { ADMIN_KEY, type ApiRequest, type ApiService, startApiService } from '../support/api-service.ts';
import {
  backOfficeExample,
  EXAMPLE_BODIES,
  exampleBody,
  type ExampleIds,
  PUBLIC_PATHS,
} from '../support/example-bodies.ts';
import { BODY_KINDS, type BodyKind, written } from '../support/forms.ts';
import { spoiling, spoilt, spoiltJson } from '../support/spoilt-bodies.ts';

const RUNS = 40;

let service: ApiService;
let acme: MerchantScene;
let ids: ExampleIds;

beforeAll(async () => {
  service = await startApiService({ logLevel: 'info' });
  acme = await makeMerchant(service, 'Acme');
  const insurer = { name: 'Insurer', support_email: 'a@b.example', support_phone: '1' };
  const { provider_id: providerId } = await service.admin('RegisterProvider', insurer);
  const { environmentId, policyId, policyNumber, claimId, quoteCode, key } = acme.live;
  ids = {
    shortCode: acme.shortCode,
    token: 'a token',
    environmentId,
    keyId: key.split('_')[2] as string,
    providerId,
    productId: randomUUID(),
    quoteCode,
    policyId,
    policyNumber,
    claimId,
    jobId: randomUUID(),
    renewalDay: '2027-01-01',
    incidentDay: '2026-02-02',
    word: 'word',
  };
});

afterAll(async () => {
  await service.stop();
});

type Command = (typeof COMMANDS)[number];

/** A POST operation, a right body of it, and how to tell a wrong one. */
interface Operation {
  readonly path: string;
  readonly command: Command;
  readonly key: () => string;
  readonly body: () => Readonly<Record<string, unknown>>;
}

const adminCommands: readonly Operation[] = COMMANDS.map((command) => ({
  path: `/api/v1/admin/commands/${command.name}`,
  command,
  key: () => ADMIN_KEY,
  body: () => backOfficeExample(command.name, ids),
}));

/** Every public route that takes a body. */
function publicOperations(): readonly Operation[] {
  return service.http.routes
    .filter(({ method, kind }) => method === 'POST' && kind === 'command')
    .map(({ path, name }) => {
      const command = COMMANDS.find((one) => one.name === name);
      if (command === undefined) throw new Error(`the route ${path} runs no command`);
      return { path, command, key: () => acme.live.key, body: () => exampleBody(name, ids) };
    });
}

/** Whether the schema takes a body as it is sent: what it takes may still be refused, but need not be. */
async function isRight({ command, path }: Operation, { raw, headers }: Sent): Promise<boolean> {
  try {
    const type = bodyTypeOf({ 'content-type': headers?.['Content-Type'] });
    const body = await parseBody({ type, bytes: Buffer.from(raw ?? '') }, inputSchemaOf(command.input));
    const { environment_id: _, ...rest } = body;
    return command.input.safeParse(path.includes('/admin/') && command.inEnvironment ? rest : body).success;
  } catch {
    return false;
  }
}

type Sent = Pick<ApiRequest, 'raw' | 'headers'>;

async function sentAs(body: unknown, kind: BodyKind): Promise<Sent> {
  if (kind === 'json') return { raw: spoiltJson(body), headers: { 'Content-Type': 'application/json' } };
  const fields = typeof body === 'object' && body !== null ? body : { body };
  return await written(fields, kind);
}

async function checkRefused(operation: Operation, kind: BodyKind): Promise<void> {
  await fc.assert(
    fc.asyncProperty(spoiling, async (how) => {
      const sent = await sentAs(spoilt(operation.body(), how), kind);
      fc.pre(!(await isRight(operation, sent)));
      const before = await service.eventStore.lastPosition();
      const answer = await service.send('POST', operation.path, { key: operation.key(), ...sent });
      const tried = [operation.path, String(sent.raw).slice(0, 500)];
      expect([...tried, answer.status]).toEqual([...tried, 400]);
      expect(['invalid_request', 'malformed_body']).toContain(answer.json.code);
      if (answer.json.code === 'invalid_request') {
        expect(answer.json.errors.length).toBeGreaterThan(0);
        for (const { field, message } of answer.json.errors)
          expect([field, message]).toEqual([expect.stringMatching(/./s), expect.stringMatching(/./)]);
      }
      expect(await service.eventStore.lastPosition()).toBe(before);
    }),
    { numRuns: RUNS, maxSkipsPerRun: 50 },
  );
}

describe('a body with one thing wrong', () => {
  test('given the examples, then every command has one and its schema takes it', () => {
    expect(Object.keys(EXAMPLE_BODIES).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
    for (const { input, name } of COMMANDS) {
      const { error } = input.safeParse(exampleBody(name, ids));
      expect([name, error?.issues]).toEqual([name, undefined]);
    }
  });

  test.each(
    adminCommands.flatMap((operation) => BODY_KINDS.map((kind) => [operation.command.name, kind, operation] as const)),
  )(
    'given %s of the back office as %s, then 400 names a field and nothing has happened',
    async (_name, kind, operation) => {
      await checkRefused(operation, kind);
    },
  );

  test.each(BODY_KINDS)(
    'given any public operation with %s, then 400 names a field and nothing has happened',
    async (kind) => {
      const operations = publicOperations();
      expect(Object.fromEntries(operations.map(({ path, command }) => [command.name, path]))).toEqual(PUBLIC_PATHS);
      for (const operation of operations) await checkRefused(operation, kind);
    },
  );
});

describe('bytes that are no body', () => {
  test.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])(
    'given any bytes as %s, then every operation refuses them and nothing has happened',
    async (type) => {
      const before = await service.eventStore.lastPosition();
      const operations = [...adminCommands, ...publicOperations()];
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.string({ unit: 'binary', maxLength: 100 }).map((text) => new Uint8Array(Buffer.from(text))),
        fc
          .constantFrom('[]=', 'a[[]]=1', 'a[=1', '&&==&', '--b', '--b--', '--b\r\n\r\n\r\n--b--')
          .map((text) => new Uint8Array(Buffer.from(text))),
      );
      await fc.assert(
        fc.asyncProperty(fc.nat(), bytes, async (which, raw) => {
          const { path, key } = operations[which % operations.length] as Operation;
          const answer = await service.send('POST', path, {
            key: key(),
            raw,
            headers: { 'Content-Type': type },
          });
          expect([path, answer.status]).toEqual([path, 400]);
        }),
        { numRuns: 500 },
      );
      expect(await service.eventStore.lastPosition()).toBe(before);
    },
  );
});

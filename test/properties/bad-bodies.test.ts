import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { z } from 'zod';
import { randomUUID } from 'node:crypto';
import { requestRebuild } from '#commands/rebuild/request-rebuild.ts';
import { COMMANDS } from '#commands/registry.ts';
import { bodyRulesOf, parseBody } from '#http/api/bodies/command-body.ts';
import { inputSchemaOf } from '#http/api/bodies/coerce.ts';
import { bodyTypeOf } from '#http/api/bodies/media-type.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiRequest } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import {
  platformExampleBody,
  EXAMPLE_BODIES,
  exampleBody,
  type ExampleIds,
  PUBLIC_PATHS,
  publicExample,
} from '../support/example-bodies.ts';
import { BODY_ENCODINGS, type BodyEncoding, encodeBody } from '../support/encode-body.ts';
import { RAW_MESSAGE } from '../support/wrong-values.ts';
import { anyBodyMutation, mutateBody, toJsonText } from '../support/mutate-body.ts';

const RUNS = 15;

const service = await startSuiteService({ logLevel: 'info' });
const acme = await createMerchant(service, 'Acme');
const insurer = { name: 'Insurer', support_email: 'a@b.example', support_phone: '1' };
const { provider_id: providerId } = await service.admin('RegisterProvider', insurer);
const { environmentId, policyId, policyNumber, customerId, claimId, quoteCode, key } = acme.live;
const ids: ExampleIds = {
  shortCode: acme.shortCode,
  token: 'a token',
  environmentId,
  keyId: key.split('_')[2] as string,
  personId: randomUUID(),
  providerId,
  productId: randomUUID(),
  quoteCode,
  policyId,
  policyNumber,
  customerId,
  claimId,
  paymentId: randomUUID(),
  jobId: randomUUID(),
  today: '2026-03-01',
  renewalDay: '2027-01-01',
  incidentDay: '2026-02-02',
  uniqueName: 'word',
};

type Command = (typeof COMMANDS)[number];

/** A POST operation with a valid body and a check of bodies. */
interface Operation {
  /** Default: POST. */
  readonly method?: string;
  /** As the route has it. */
  readonly template: string;
  readonly path: string;
  readonly command: Command;
  /** Schema of the body. */
  readonly schema: z.ZodType;
  readonly key: () => string;
  readonly body: () => Readonly<Record<string, unknown>>;
}

const platformCommands: readonly Operation[] = [
  ...COMMANDS.map((command) => ({
    template: `/api/v1/admin/commands/${command.name}`,
    path: `/api/v1/admin/commands/${command.name}`,
    command,
    schema: command.input,
    key: () => ADMIN_KEY,
    body: () => platformExampleBody(command.name, ids),
  })),
  {
    template: '/api/v1/admin/rebuilds',
    path: '/api/v1/admin/rebuilds',
    command: requestRebuild,
    schema: requestRebuild.input,
    key: () => ADMIN_KEY,
    body: () => ({}),
  },
];

/** Every POST and PUT route of merchants. */
function publicOperations(): readonly Operation[] {
  return service.http.routes
    .filter(
      ({ method, kind, path }) =>
        (method === 'POST' || method === 'PUT') && kind === 'command' && !path.startsWith('/api/v1/admin/'),
    )
    .map(({ path: template, method, name, reference }) => {
      const command = COMMANDS.find((one) => one.name === name);
      if (command === undefined) throw new Error(`the route ${template} runs no command`);
      const { path } = publicExample(name, ids);
      return {
        template,
        method,
        path,
        command,
        schema: reference.body ?? command.input,
        key: () => acme.live.key,
        body: () => publicExample(name, ids).body,
      };
    });
}

/** Returns whether the schema accepts a body; an accepted body may still be refused. */
async function isAcceptedBySchema(
  { command, path, schema }: Operation,
  { raw, headers }: EncodedBody,
): Promise<boolean> {
  try {
    const type = bodyTypeOf({ 'content-type': headers?.['Content-Type'] });
    const body = await parseBody({ type, bytes: Buffer.from(raw ?? '') }, bodyRulesOf(inputSchemaOf(schema)));
    const { environment_id: _, ...rest } = body;
    return schema.safeParse(path.includes('/admin/') && command.inEnvironment ? rest : body).success;
  } catch {
    return false;
  }
}

type EncodedBody = Pick<ApiRequest, 'raw' | 'headers'>;

async function encodeAs(body: unknown, kind: BodyEncoding): Promise<EncodedBody> {
  if (kind === 'json') return { raw: toJsonText(body), headers: { 'Content-Type': 'application/json' } };
  const fields = typeof body === 'object' && body !== null ? body : { body };
  return await encodeBody(fields, kind);
}

async function expectRefusals(operation: Operation, kind: BodyEncoding): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyBodyMutation, async (mutation) => {
      const encoded = await encodeAs(mutateBody(operation.body(), mutation), kind);
      fc.pre(!(await isAcceptedBySchema(operation, encoded)));
      const before = await service.eventStore.lastPosition();
      const response = await service.send(operation.method ?? 'POST', operation.path, {
        key: operation.key(),
        ...encoded,
      });
      const request = [operation.path, String(encoded.raw).slice(0, 500)];
      expect([...request, response.status]).toEqual([...request, 400]);
      expect(['invalid_request', 'malformed_body']).toContain(response.json.code);
      if (response.json.code === 'invalid_request') {
        expect(response.json.errors.length).toBeGreaterThan(0);
        for (const { field, message } of response.json.errors) {
          expect([field, message]).toEqual([expect.stringMatching(/./s), expect.stringMatching(/./)]);
          expect(message).not.toMatch(RAW_MESSAGE);
        }
      }
      expect(await service.eventStore.lastPosition()).toBe(before);
    }),
    { numRuns: RUNS, maxSkipsPerRun: 50 },
  );
}

describe('A body with one error', () => {
  test('every command has an example that its schema accepts', () => {
    expect(Object.keys(EXAMPLE_BODIES).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
    for (const { input, name } of COMMANDS) {
      const { error } = input.safeParse(exampleBody(name, ids));
      expect([name, error?.issues]).toEqual([name, undefined]);
    }
  });

  test.each(
    platformCommands.flatMap((operation) =>
      BODY_ENCODINGS.map((kind) => [operation.command.name, kind, operation] as const),
    ),
  )('admin command %s as %s: 400 names a field and no event is written', async (_name, kind, operation) => {
    await expectRefusals(operation, kind);
  });

  test.each(BODY_ENCODINGS)('any public operation with %s: 400 names a field and no event is written', async (kind) => {
    const operations = publicOperations();
    expect(Object.fromEntries(operations.map(({ template, command }) => [command.name, template]))).toEqual(
      PUBLIC_PATHS,
    );
    for (const operation of operations) await expectRefusals(operation, kind);
  });
});

describe('Arbitrary bytes', () => {
  test.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])(
    'every operation refuses them as %s and writes no event',
    async (type) => {
      const before = await service.eventStore.lastPosition();
      // The body of an operation without fields may be empty.
      const operations = [...platformCommands, ...publicOperations()].filter(
        ({ schema }) => !schema.safeParse({}).success,
      );
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.string({ unit: 'binary', maxLength: 100 }).map((text) => new Uint8Array(Buffer.from(text))),
        fc
          .constantFrom('[]=', 'a[[]]=1', 'a[=1', '&&==&', '--b', '--b--', '--b\r\n\r\n\r\n--b--')
          .map((text) => new Uint8Array(Buffer.from(text))),
      );
      await fc.assert(
        fc.asyncProperty(fc.nat(), bytes, async (which, raw) => {
          const { method = 'POST', path, key } = operations[which % operations.length] as Operation;
          const response = await service.send(method, path, {
            key: key(),
            raw,
            headers: { 'Content-Type': type },
          });
          expect([path, response.status]).toEqual([path, 400]);
        }),
        { numRuns: 200 },
      );
      expect(await service.eventStore.lastPosition()).toBe(before);
    },
  );
});

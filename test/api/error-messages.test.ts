import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { COMMANDS } from '#commands/registry.ts';
import { checkInput } from '#event-sourcing/executor/parse-input.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { exampleBody, type ExampleIds } from '../support/example-bodies.ts';
import { RAW_MESSAGE, wrongValues } from '../support/wrong-values.ts';

const service = await startSuiteService();

const ID = '8c3d9ca1-8147-4c3f-98e6-077943138483';
const IDS: ExampleIds = {
  shortCode: 'ACM-12AB',
  token: 'a token',
  environmentId: 1,
  keyId: 'key',
  personId: ID,
  policyNumber: 'MOT-1',
  providerId: ID,
  productId: ID,
  policyId: ID,
  customerId: ID,
  claimId: ID,
  paymentId: ID,
  jobId: ID,
  quoteCode: 'Quo_00000_00000000',
  today: '2026-03-01',
  renewalDay: '2027-01-01',
  incidentDay: '2026-02-02',
  uniqueName: 'word',
};

/** Every schema of a request, with a value from which wrong ones are derived. */
function requestSchemas(): readonly (readonly [name: string, schema: z.ZodType, right: unknown])[] {
  const textsFor = (schema: z.ZodType): object =>
    schema instanceof z.ZodObject ? Object.fromEntries(Object.keys(schema.shape).map((name) => [name, 'x'])) : {};
  return [
    ...COMMANDS.map(({ name, input }) => [name, input, exampleBody(name, IDS)] as const),
    ...service.http.routes.flatMap(({ name, reference: { body, search, path } }) =>
      [body, search, path].flatMap((schema) =>
        schema === undefined ? [] : [[name, schema, textsFor(schema)] as const],
      ),
    ),
  ];
}

test('every message about a wrong field of any operation is a plain sentence', () => {
  const messages = new Map<string, string>();
  for (const [name, schema, right] of requestSchemas()) {
    for (const value of wrongValues(right)) {
      const checked = checkInput(schema, value);
      if ('fields' in checked)
        for (const { field, message } of checked.fields) messages.set(message, `${name} ${field}`);
    }
  }
  expect(messages.size).toBeGreaterThan(50);
  const isPlain = (message: string): boolean =>
    /^(must|is|has|needs|give)\b/.test(message) && !RAW_MESSAGE.test(message.replace(/; known: .*/, ''));
  expect([...messages].filter(([message]) => !isPlain(message))).toEqual([]);
});

test('a policy id that is no UUID names the other field that may be given', () => {
  const fields = [{ field: 'policy_id', message: 'must be a UUID, or give policy_number' }];
  for (const name of ['RenewPolicy', 'CancelPolicy']) {
    const { input } = COMMANDS.find((command) => command.name === name) ?? {};
    expect(input && checkInput(input, { ...exampleBody(name, IDS), policy_id: 'MOT-1' })).toEqual({ fields });
  }
  const cancel = service.http.routes.find(({ path }) => path === '/api/v1/policies/cancel');
  expect(cancel && checkInput(cancel.reference.search, { policy_id: 'MOT-1' })).toEqual({ fields });
});

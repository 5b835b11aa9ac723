import { describe, expect, test } from '@jest/globals';
import { wrongFields } from '#domain/refusals.ts';
import { PROBLEM_TYPES, Refusal } from '#http/api/messages/problem-types.ts';
import { Http } from '#client/http.ts';
import { importLocally, ImportStopped, type RowOutcome, importOverHttp } from './import-row.ts';

const fields = ['a', 'b', 'c', 'd', 'e'].map((field) => ({ field, message: 'must be given' }));
const everyField = 'a: must be given; b: must be given; c: must be given; d: must be given; e: must be given';
const outside = new Refusal('incident_outside_every_term', 'The policy did not cover 2025-12-31', {
  fields: [{ field: 'incident_date', message: 'is covered by no term' }],
});

async function locally(refusal: Refusal): Promise<RowOutcome> {
  const commands = {
    run: async () => await Promise.reject(refusal),
    hasEnvironment: async () => await Promise.resolve(true),
  };
  return await importLocally(commands, 0)('ImportClaim', {});
}

async function overHttp(body: object, status = 400): Promise<RowOutcome> {
  const send = async () => await Promise.resolve(Response.json(body, { status }));
  const http = new Http({ url: 'http://service.example', key: 'key', fetch: send, retryForMs: 1 });
  return await importOverHttp(http)('ImportClaim', {});
}

/** The problem of a refusal. */
function problemOf({ code, message, fields }: Refusal): object {
  return { code, detail: message, ...(fields.length === 0 ? {} : { errors: fields }) };
}

describe.each([
  ['by the stores of this process', locally],
  ['over HTTP', async (refusal: Refusal) => await overHttp(problemOf(refusal), PROBLEM_TYPES[refusal.code].status)],
])('a row that is refused %s', (_case, importRow) => {
  test('has every invalid column in its detail', async () => {
    expect(await importRow(wrongFields(fields))).toEqual({
      kind: 'refused',
      reason: 'invalid_row',
      detail: everyField,
    });
  });

  test('has the code and detail of another refusal', async () => {
    expect(await importRow(outside)).toEqual({
      kind: 'refused',
      reason: 'incident_outside_every_term',
      detail: 'The policy did not cover 2025-12-31',
    });
  });

  test('has the detail of a refusal without fields', async () => {
    const refusal = new Refusal('invalid_request', 'The body is not right');
    expect(await importRow(refusal)).toMatchObject({ reason: 'invalid_row', detail: 'The body is not right' });
  });

  test.each(['event_too_large', 'body_too_large'] as const)('is invalid when it is too long (%s)', async (code) => {
    const refusal = new Refusal(code, 'This would record too much');
    expect(await importRow(refusal)).toMatchObject({ reason: 'invalid_row', detail: 'This would record too much' });
  });

  test('stops the import when every row would be refused', async () => {
    await expect(importRow(new Refusal('forbidden', 'This key may not'))).rejects.toThrow(ImportStopped);
  });
});

test.each([
  ['the page of a proxy', 502, { message: 'Bad gateway' }],
  ['a request that came too slowly', 408, { code: 'request_timeout', detail: 'Send it again' }],
  ['a rate limit', 429, { code: 'rate_limited', detail: 'Too many requests' }],
  ['an unexpected error', 500, { code: 'internal_error', detail: 'See the log' }],
])('%s is no outcome of a row', async (_case, status, body) => {
  await expect(overHttp(body, status)).rejects.toMatchObject({ name: expect.stringMatching(/Error$/), status });
});

import { describe, expect, test } from '@jest/globals';
import { wrongFields } from '#domain/refusals.ts';
import { PROBLEM_TYPES, Refusal } from '#http/api/messages/problem-types.ts';
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
  const response = { status, replayed: false, text: JSON.stringify(body) };
  return await importOverHttp({ postCommand: async () => await Promise.resolve(response) })('ImportClaim', {});
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

describe('a problem body in another format', () => {
  test.each([
    ['errors that are no list', { errors: 'premium' }],
    ['errors that are no fields', { errors: [null, 'premium', { field: 1, message: 'x' }, { field: 'premium' }] }],
  ])('with %s is reported by its detail', async (_case, members) => {
    const body = { code: 'invalid_request', detail: 'It is wrong', ...members };
    expect(await overHttp(body)).toEqual({ kind: 'refused', reason: 'invalid_row', detail: 'It is wrong' });
  });

  test('without a detail is reported by its code', async () => {
    expect(await overHttp({ code: 'odd' })).toEqual({ kind: 'refused', reason: 'odd', detail: 'odd' });
  });
});

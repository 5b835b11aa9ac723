import { describe, expect, test } from '@jest/globals';
import { Refusal } from '../domain/refusals.ts';
import { wrongFields } from '../domain/refusals.ts';
import { PROBLEM_TYPES } from '../http/messages/problem-types.ts';
import { importLocally } from './import-locally.ts';
import { importOverHttp } from './import-over-http.ts';
import { ImportStopped, type RowOutcome } from './import-row.ts';

const fields = ['a', 'b', 'c', 'd', 'e'].map((field) => ({ field, message: 'must be given' }));
const everyField = 'a: must be given; b: must be given; c: must be given; d: must be given; e: must be given';
const outside = new Refusal('incident_outside_every_term', 'The policy did not cover 2025-12-31', {
  fields: [{ field: 'incident_date', message: 'is covered by no term' }],
});

async function here(refusal: Refusal): Promise<RowOutcome> {
  const office = {
    run: async () => await Promise.reject(refusal),
    hasEnvironment: async () => await Promise.resolve(true),
  };
  return await importLocally(office, 0)('ImportClaim', {});
}

async function overHttp(body: object, status = 400): Promise<RowOutcome> {
  const answer = { status, replayed: false, text: JSON.stringify(body) };
  return await importOverHttp({ postCommand: async () => await Promise.resolve(answer) })('ImportClaim', {});
}

/** The members of a problem body that tell of a refusal. */
function problemOf({ code, message, fields }: Refusal): object {
  return { code, detail: message, ...(fields.length === 0 ? {} : { errors: fields }) };
}

describe.each([
  ['by the stores of this process', here],
  ['over HTTP', async (refusal: Refusal) => await overHttp(problemOf(refusal), PROBLEM_TYPES[refusal.code].status)],
])('a row that is refused %s', (_case, take) => {
  test('given wrong columns, then each is told, also those that the sentence leaves out', async () => {
    expect(await take(wrongFields(fields))).toEqual({ kind: 'refused', reason: 'invalid_row', detail: everyField });
  });

  test('given another refusal, then its sentence is told', async () => {
    expect(await take(outside)).toEqual({
      kind: 'refused',
      reason: 'incident_outside_every_term',
      detail: 'The policy did not cover 2025-12-31',
    });
  });

  test('given an invalid row without named columns, then its sentence is told', async () => {
    const refusal = new Refusal('invalid_request', 'The body is not right');
    expect(await take(refusal)).toMatchObject({ reason: 'invalid_row', detail: 'The body is not right' });
  });

  test.each(['event_too_large', 'body_too_large'] as const)(
    'given a row that is too long (%s), then it is invalid',
    async (code) => {
      const refusal = new Refusal(code, 'This would record too much');
      expect(await take(refusal)).toMatchObject({ reason: 'invalid_row', detail: 'This would record too much' });
    },
  );

  test('given what every row would be refused for, then the import stops', async () => {
    await expect(take(new Refusal('forbidden', 'This key may not'))).rejects.toThrow(ImportStopped);
  });
});

describe('a problem body that is not as Surety writes it', () => {
  test.each([
    ['errors that are no list', { errors: 'premium' }],
    ['errors that are no fields', { errors: [null, 'premium', { field: 1, message: 'x' }, { field: 'premium' }] }],
  ])('given %s, then the sentence is told', async (_case, members) => {
    const body = { code: 'invalid_request', detail: 'It is wrong', ...members };
    expect(await overHttp(body)).toEqual({ kind: 'refused', reason: 'invalid_row', detail: 'It is wrong' });
  });

  test('given no sentence, then the code is told', async () => {
    expect(await overHttp({ code: 'odd' })).toEqual({ kind: 'refused', reason: 'odd', detail: 'odd' });
  });
});

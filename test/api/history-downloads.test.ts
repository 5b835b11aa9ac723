import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { createPolicyWithHistory } from '../support/policy-with-history.ts';

const CSV = 'text/csv';
const JSON_LINES = 'application/x-ndjson';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const policy: { readonly id: string } = await createPolicyWithHistory(service, acme.live, 'MOT-DOWNLOAD', '2026-03-11');
const { json } = await service.send('GET', `/api/v1/policies/${policy.id}`, { key: acme.live.key });
const customerId = json.policy_holder.customer_id;

async function get(path: string, accept: string, key = acme.live.key): Promise<ApiResponse> {
  return await service.send('GET', `/api/v1/${path}`, { key, headers: { Accept: accept } });
}

async function pageOf(path: string): Promise<Record<string, unknown>[]> {
  const { json } = await get(`${path}?limit=100`, 'application/json');
  return json.results;
}

function linesOf({ text }: ApiResponse): unknown[] {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

const histories = (): readonly string[] => [
  `policies/${policy.id}/history`,
  `customers/${customerId}/history`,
  `merchants/${acme.shortCode}/history`,
];

describe('A history as JSON Lines', () => {
  test('has every entry of the pages, in their order', async () => {
    for (const path of histories()) {
      const response = await get(path, JSON_LINES);
      expect(response.headers.get('content-type')).toBe(`${JSON_LINES}; charset=utf-8`);
      expect(response.headers.get('content-disposition')).toBe('attachment; filename=history.ndjson');
      expect(response.headers.get('vary')).toBe('X-API-Key, Accept');
      expect(linesOf(response)).toEqual(await pageOf(path));
    }
  });

  test('is not shortened to a page', async () => {
    const { shortCode, live } = await createMerchant(service, 'Gamma');
    for (let number = 0; number < 110; number += 1)
      await service.admin('UpdateMerchant', { short_code: shortCode, address: `${number} Broad Street` });
    expect(linesOf(await get(`merchants/${shortCode}/history`, JSON_LINES, live.key)).length).toBeGreaterThan(110);
    const response = await get(`merchants/${shortCode}/history?limit=1`, JSON_LINES, live.key);
    expect(response.status).toBe(400);
    expect(response.json.errors).toEqual([{ field: 'limit', message: expect.any(String) }]);
  });
});

describe('A history as CSV', () => {
  test('has the values of the pages under a heading', async () => {
    for (const path of histories()) {
      const response = await get(path, CSV);
      expect(response.headers.get('content-type')).toBe(`${CSV}; charset=utf-8; header=present`);
      const rows = parse<Record<string, string>>(response.text, { columns: true, record_delimiter: '\r\n' });
      const entries = await pageOf(path);
      expect(rows).toEqual(entries.map(cellsOf));
    }
  });

  test('has no cell that a spreadsheet takes for a formula', async () => {
    const holder = { full_name: '=HYPERLINK("http://evil.example")', address: 'Line 1' };
    const patched = await service.send('PATCH', `/api/v1/customers/${customerId}`, {
      key: acme.live.key,
      body: holder,
      headers: { 'X-Request-Id': '-1' },
    });
    expect(patched.status).toBe(200);
    const { text } = await get(`customers/${customerId}/history`, CSV);
    const rows = parse<Record<string, string>>(text, { columns: true, record_delimiter: '\r\n' });
    expect(rows.at(-1)).toMatchObject({ request_id: "'-1", type: 'CustomerUpdated.v1' });
    expect(rows.flatMap((row) => Object.values(row)).filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  });
});

describe('The format of a history', () => {
  test.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/csv;q=0.5, application/json', 'application/json; charset=utf-8'],
    ['application/json;q=0.5, text/csv', 'text/csv; charset=utf-8; header=present'],
    ['image/png', 'application/json; charset=utf-8'],
    ['text/csv; charset=UTF-8', 'text/csv; charset=utf-8; header=present'],
    ['application/x-ndjson;charset=utf-8, application/json;q=0.9', 'application/x-ndjson; charset=utf-8'],
    ['text/csv; charset=utf-16', 'application/json; charset=utf-8'],
  ])('is for Accept %s %s', async (accept, contentType) => {
    const headers = accept === undefined ? {} : { Accept: accept };
    const path = `/api/v1/policies/${policy.id}/history`;
    const response = await service.send('GET', path, { key: acme.live.key, headers });
    expect(response.headers.get('content-type')).toBe(contentType);
  });

  test('is JSON for all other responses', async () => {
    const { headers } = await get(`policies/${policy.id}`, CSV);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('does not replace a problem', async () => {
    const beta = await createMerchant(service, 'Beta');
    for (const path of histories()) {
      const response = await get(path, CSV, beta.live.key);
      expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
        status: 404,
        type: 'application/problem+json; charset=utf-8',
      });
    }
  });

  test('has no body for HEAD', async () => {
    const path = `/api/v1/policies/${policy.id}/history`;
    const response = await service.send('HEAD', path, { key: ADMIN_KEY, headers: { Accept: CSV } });
    expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: '' });
    expect(response.headers.get('content-type')).toBe(`${CSV}; charset=utf-8; header=present`);
  });
});

const jsonOf = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));

/** Returns the cells of an entry as the rules of the download give them. */
function cellsOf({ actor, data, changes, ...values }: Record<string, unknown>): Record<string, unknown> {
  const { role, key_id, person_id, label } = actor as {
    role: string;
    key_id: string;
    person_id: string | null;
    label: string | null;
  };
  const cells = {
    ...values,
    actor_role: role,
    actor_key_id: key_id,
    actor_person_id: person_id,
    actor_label: label,
    ...jsonOf({ data, changes }),
  };
  return Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [name, `${(value ?? '') as string | number}`]),
  );
}

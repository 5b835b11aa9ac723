import { parse } from 'csv-parse/sync';
import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { createMerchant, importTerm, termRow } from '../support/merchant-fixture.ts';
import { post } from '../support/policy-with-history.ts';
import { startSuiteService } from '../support/suite-service.ts';

type Row = Readonly<Record<string, unknown>>;

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');
const FORMULA = '=HYPERLINK("http://evil.example")';
service.clock.now = '2026-03-10T10:00:01.000Z';
await importTerm(
  service,
  acme.live.environmentId,
  termRow('GADGET-1', { product_type: 'Gadget', customer_name: FORMULA, term_through: '2026-06-30' }),
);
const claim_details = { claim_type: 'Glass', incident_date: '2026-03-01', claim_amount: '10.00' };
await post(service, acme.live.key, 'claims', {
  policy_number: 'GADGET-1',
  claim_details,
  claimant_metadata: {
    first_name: 'Ada',
    last_name: 'Okafor',
    birth_date: '1990-04-12',
    relationship: 'policy holder',
    email: 'ada.okafor@customers.example',
    phone_number: '+2348012345678',
  },
});

async function read(list: string, accept: string, key = acme.live.key): Promise<ApiResponse> {
  return await service.send('GET', `/api/v1/merchants/${acme.shortCode}/${list}`, { key, headers: { Accept: accept } });
}

async function itemsOf(list: string, key = acme.live.key): Promise<readonly Row[]> {
  return (await read(list, 'application/json', key)).json.results;
}

/** Returns the columns of an item: each field of an object beside the others, everything else as a text. */
function columnsOf(item: object, prefix = ''): readonly [string, string][] {
  return Object.entries(item).flatMap(([name, value]: [string, unknown]): readonly [string, string][] => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && name !== 'claimant_metadata')
      return columnsOf(value, `${prefix}${name}_`);
    // A merchant learns of no assignee, whose fields have columns all the same.
    if (name === 'assignee' && value === null) return columnsOf({ id: null, label: null }, `${prefix}assignee_`);
    const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
    return [[`${prefix}${name}`, text.startsWith('=') ? `'${text}` : text]];
  });
}

describe.each([
  ['policies', 'product_type=Gadget', 'policy_holder_customer_name'],
  ['policies', 'renewal_through=2027-01-01', 'policy_holder_customer_name'],
  ['customers', 'customer_reference=REF-gadget-1', 'full_name'],
  ['claims', 'claim_status=open', 'claimant_customer_name'],
] as const)('The list of %s by %s', (list, filter, name) => {
  test('is downloaded whole as a table with a column for each field, and no formulas', async () => {
    for (const path of [list, `${list}?${filter}`]) {
      const response = await read(path, 'text/csv');
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename=${list}.csv`);
      const rows = parse<Row>(response.text, { columns: true, record_delimiter: '\r\n' });
      const items = await itemsOf(path);
      expect(items.length).toBeGreaterThan(0);
      expect(rows).toEqual(items.map((item) => Object.fromEntries(columnsOf(item))));
      expect(rows.map((row) => row[name])).toContain(`'${FORMULA}`);
    }
  });

  test('is downloaded whole as JSON Lines', async () => {
    const { text } = await read(`${list}?${filter}`, 'application/x-ndjson');
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Row)).toEqual(await itemsOf(`${list}?${filter}`));
  });

  test('is of one mode, and takes no page', async () => {
    const id = { policies: 'policyId', customers: 'customerId', claims: 'claimId' } as const;
    const { text } = await read(`${list}?test_mode=true`, 'text/csv', ADMIN_KEY);
    expect(text).toContain(acme.test[id[list]]);
    expect(text).not.toContain(acme.live[id[list]]);
    const refused = await read(`${list}?limit=1`, 'text/csv');
    expect([refused.status, refused.json.errors[0].field]).toEqual([400, 'limit']);
    const hidden = await read(list, 'text/csv', beta.live.key);
    expect([hidden.status, hidden.json.code]).toEqual([404, 'merchant_not_found']);
  });
});

test('A download of policies of an unknown customer has its heading alone', async () => {
  const { text } = await read('policies?customer_reference=unknown', 'text/csv');
  expect(text).toMatch(/^policy_id,policy_number,[^\n]*\r\n$/);
});

/** Three calls with the generated TypeScript client. Prints what was answered as one line of JSON. */
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const { SURETY_URL = '', SURETY_KEY = '', SHORT_CODE = '' } = process.env;
const client = createClient<paths>({ baseUrl: SURETY_URL, headers: { 'X-API-Key': SURETY_KEY } });

async function purchase() {
  const quotes = await client.POST('/api/v1/quotes', {
    params: { query: { limit: 1 } },
    body: {
      customer_metadata: { first_name: 'Ada', last_name: 'Okafor', email: 'ada@typescript.example' },
      insurance_details: {
        product_type: 'Auto',
        additional_information: {
          vehicle_type: 'Car',
          vehicle_make: 'Honda',
          vehicle_year: 2019,
          vehicle_value: '2000000.00',
          vehicle_usage: 'Private',
          insurance_options: 'Comprehensive',
        },
      },
    },
  });
  const [offer] = expect(quotes).results.flat();
  const purchased = await client.POST('/api/v1/policies/', {
    params: { header: { 'Idempotency-Key': 'typescript' } },
    body: { quote_code: offer?.quote_code ?? '' },
  });
  const { policy_id, premium, status } = expect(purchased);
  return { policy_id, premium, status };
}

async function page() {
  const list = async (after: { after?: string }) => {
    const query = { limit: 2, ...after };
    const params = { path: { short_code: SHORT_CODE }, query };
    return expect(await client.GET('/api/v1/merchants/{short_code}/policies/', { params }));
  };
  const first = await list({});
  const after = new URL(first.next ?? '').searchParams.get('after') ?? '';
  const { results } = await list({ after });
  return { policy_ids: [...first.results, ...results].map(({ policy_id }) => policy_id) };
}

async function claim(source = '', target = '') {
  const filed = await client.POST('/api/v1/claims', {
    body: {
      policy_number: 'HAR-HEALTH-0001',
      claim_details: { claim_type: 'hospital', incident_date: new Date().toISOString().slice(0, 10) },
      documents: [new File([await openAsBlob(source)], 'evidence.bin')],
    },
    bodySerializer: (body) => formOf(body),
  });
  const { claim_id, documents } = expect(filed);
  const path = { id: claim_id, sha256: documents[0]?.sha256 ?? '' };
  const content = await client.GET('/api/v1/claims/{id}/documents/{sha256}', {
    params: { path },
    parseAs: 'blob',
  });
  await writeFile(target, await expect(content).bytes());
  const unknown = await client.GET('/api/v1/claims/{id}/', { params: { path: { id: 'unknown' } } });
  return { claim_id, code_of_unknown: unknown.error?.code };
}

function formOf(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (part instanceof Blob) form.append(name, part);
      else form.append(name, typeof part === 'string' ? part : JSON.stringify(part));
    }
  }
  return form;
}

function expect<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data;
}

const [call = '', ...files] = process.argv.slice(2);
const calls = new Map<string, (...files: string[]) => Promise<object>>(Object.entries({ purchase, page, claim }));
console.log(JSON.stringify(await calls.get(call)?.(...files)));

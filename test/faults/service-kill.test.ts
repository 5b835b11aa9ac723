import { describe, expect, test } from '@jest/globals';
import { addDays } from '../../src/domain/values/dates.ts';
import { logPosition } from '../book/stores.ts';
import type { Service } from '../support/service-process.ts';
import { useWorkspace } from '../support/workspace.ts';

const POLICIES = 8;
/** Number of responses before the kill. */
const ANSWERS = 150;

const place = useWorkspace();

/** A POST with an idempotency key; `answer` is undefined without a response. */
interface Sent {
  readonly path: string;
  readonly body: object;
  readonly key: string;
  readonly by: string;
  response?: { readonly status: number; readonly text: string };
}

const quietly = { settings: { LOG_LEVEL: 'error' } };

async function send(service: Service, sent: Sent): Promise<{ status: number; text: string; replayed: boolean }> {
  const response = await service.request(sent.path, {
    method: 'POST',
    body: JSON.stringify(sent.body),
    headers: { 'content-type': 'application/json', 'idempotency-key': sent.key, 'x-api-key': sent.by },
  });
  const text = await response.text();
  return { status: response.status, text, replayed: response.headers.get('idempotent-replayed') === 'true' };
}

/** Creates a merchant's key and policies that can be renewed. */
async function prepare(service: Service): Promise<{ readonly merchantKey: string; readonly numbers: string[] }> {
  const run = async (name: string, body: object): Promise<Record<string, unknown>> => {
    const response = (await (await service.command(name, body)).json()) as { result: Record<string, unknown> };
    return response.result;
  };
  const merchant = await run('RegisterMerchant', { name: 'Bank', business_email: 'b@bank.example' });
  const place = { short_code: merchant['short_code'], environment_name: 'live', test_mode: false };
  const { environment_id: environmentId } = await run('CreateEnvironment', place);
  const { api_key: merchantKey } = await run('IssueApiKey', { environment_id: environmentId, label: 'till' });
  const provider = { name: 'Harmattan', support_email: 'help@harmattan.example', support_phone: '+1' };
  const { provider_id } = await run('RegisterProvider', provider);
  const product = { name: 'Term Life', description: 'Pays once', product_type: 'Life', base_premium: '365' };
  await run('AddProduct', { provider_id, ...product });
  const numbers = Array.from({ length: POLICIES }, (_, index) => `P-${index}`);
  for (const number of numbers) {
    await run('ImportPolicyTerm', {
      environment_id: environmentId,
      provider_name: 'Assurance',
      product_type: 'Auto',
      currency: 'NGN',
      policy_number: number,
      product_name: 'Motor',
      customer_reference: number,
      customer_name: 'Ada Obi',
      customer_email: `${number}@customers.example`,
      term_from: '2020-01-01',
      term_through: '2020-12-31',
      premium: '365.00',
    });
  }
  return { merchantKey: String(merchantKey), numbers };
}

/** Sends a quote request, a purchase, a claim and a cancellation in turn, each based on the previous response. */
function saleOf(seller: string, turn: number, last: string): Omit<Sent, 'by' | 'answer'> {
  const lastResponse = JSON.parse(last || '{}') as {
    readonly policy_id?: string;
    readonly policy?: string;
    readonly results?: readonly (readonly { readonly quote_code: string }[])[];
  };
  const key = `sale ${seller} ${turn}`;
  switch (turn % 4) {
    case 0: {
      const [first_name, last_name] = ['Ada', seller];
      const customer_metadata = { first_name, last_name, email: `${key.replaceAll(' ', '-')}@customers.example` };
      const insurance_details = { product_type: 'Life', additional_information: {} };
      return { path: '/api/v1/quotes', key, body: { customer_metadata, insurance_details } };
    }
    case 1:
      return { path: '/api/v1/policies', key, body: { quote_code: lastResponse.results?.[0]?.[0]?.quote_code } };
    case 2: {
      const claim_details = { claim_type: 'illness', incident_date: new Date().toISOString().slice(0, 10) };
      return { path: '/api/v1/claims', key, body: { policy_id: lastResponse.policy_id, claim_details } };
    }
    default:
      return {
        path: '/api/v1/policies/cancel',
        key,
        body: { policy_id: lastResponse.policy, cancellation_reason: 'sold' },
      };
  }
}

/** Renews and sells policies and registers providers concurrently until the service is killed. */
async function load(
  service: Service,
  { merchantKey, numbers }: Awaited<ReturnType<typeof prepare>>,
  onResponse: () => void,
): Promise<Sent[]> {
  const all: Sent[] = [];
  async function worker(requestOf: (turn: number, last: string) => Omit<Sent, 'by' | 'answer'>): Promise<void> {
    let last = '';
    for (let turn = 0; ; turn++) {
      const sent: Sent = { ...requestOf(turn, last), by: merchantKey };
      all.push(sent);
      try {
        const { status, text } = await send(service, sent);
        sent.response = { status, text };
        last = text;
      } catch {
        return;
      }
      onResponse();
    }
  }
  const today = new Date().toISOString().slice(0, 10);
  const renewals = numbers.map(async (number) => {
    await worker((turn) => ({
      path: '/api/v1/policies/renew/',
      key: `renewal ${number} ${turn}`,
      body: { policy_number: number, preferred_policy_start_date: addDays(today, 10 * turn + 1), policy_duration: 5 },
    }));
  });
  const providers = numbers.map(async (number) => {
    await worker((turn) => ({
      path: '/api/v1/onboarding/providers/registration/',
      key: `provider ${number} ${turn}`,
      body: { name: `Insurer ${number} ${turn}`, support_email: 'help@insurer.example', support_phone: '+1' },
    }));
  });
  const sales = numbers.map(async (number) => {
    await worker((turn, last) => saleOf(number, turn, last));
  });
  await Promise.all([...renewals, ...providers, ...sales]);
  return all;
}

describe('A service that is killed under load', () => {
  test.each([1, 2])(
    'keeps everything it acknowledged, and a repeat gets the same response and changes nothing (%i)',
    async () => {
      const first = await place.startService(quietly);
      const scene = await prepare(first);
      let responses = 0;
      const killAfter = ANSWERS + Math.floor(Math.random() * ANSWERS);
      const sent = await load(first, scene, () => {
        responses += 1;
        if (responses === killAfter) first.process.child.kill('SIGKILL');
      });
      expect((await first.process.exited).signal).toBe('SIGKILL');
      const acknowledged = sent.filter(({ response }) => response !== undefined);
      const unknown = sent.filter(({ response }) => response === undefined);
      expect(acknowledged.length).toBeGreaterThanOrEqual(killAfter);
      for (const { response } of acknowledged) expect([200, 201]).toContain(response?.status);

      const second = await place.startService(quietly);
      const before = logPosition(place.folder);
      for (const one of acknowledged) expect(await send(second, one)).toEqual({ ...one.response, replayed: true });
      expect(logPosition(place.folder)).toBe(before);

      // Requests without a response are executed once, before the kill or now.
      for (const one of unknown) expect([200, 201]).toContain((await send(second, one)).status);
      const settled = logPosition(place.folder);
      for (const one of unknown) expect(await send(second, one)).toMatchObject({ replayed: true });
      expect(logPosition(place.folder)).toBe(settled);
      for (const one of sent.filter(({ path }) => path.includes('providers'))) {
        const { name } = one.body as { name: string };
        const found = await second.request(`/api/v1/providers/search/?name=${encodeURIComponent(name)}&limit=100`);
        const { results } = (await found.json()) as { results: { name: string }[] };
        expect(results.filter((result) => result.name === name)).toHaveLength(1);
      }
      for (const number of scene.numbers) expect(await termsOf(second, scene.merchantKey, number, sent)).toBe(true);
    },
  );
});

/** Returns whether the last renewed term is the last one of the policy. */
async function termsOf(service: Service, key: string, number: string, sent: readonly Sent[]): Promise<boolean> {
  const renewals = sent.filter(({ key: idempotencyKey }) => idempotencyKey.startsWith(`renewal ${number} `));
  const last = renewals.at(-1)?.body as { preferred_policy_start_date: string };
  const response = JSON.parse(renewals.find(({ response: known }) => known !== undefined)?.response?.text ?? '{}') as {
    data: { policy_id: string };
  };
  const read = await service.request(`/api/v1/policies/${response.data.policy_id}/terms/`, {
    headers: { 'x-api-key': key },
  });
  const { results } = (await read.json()) as { results: { from: string }[] };
  return results.at(-1)?.from === last.preferred_policy_start_date;
}

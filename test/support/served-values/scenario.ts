import { randomUUID } from 'node:crypto';
import type { MerchantDocument } from '#projections/merchants/merchants.ts';
import { requestMail } from '#commands/mail/mail-moves.ts';
import { dayIn } from '#domain/values/dates.ts';
import { runSystemCommand } from '#event-sourcing/executor/execute-command.ts';
import { ADMIN_KEY, type ApiResponse, type ApiService } from '../api-service.ts';
import type { ExampleCall } from '../reference-examples.ts';
import { waitUntil } from '../wait-until.ts';
import { Client, TIME_ZONE } from './client.ts';
import { isList } from './follow-pages.ts';
import { type Recording, textOf } from './recording.ts';
import type { KeyOwner } from './send-back.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

type Json = ApiResponse['json'];
type Examples = ReadonlyMap<string, ExampleCall>;

/**
 * Does with what was served what the examples of the reference do not: names policies and quotes in every way that a command takes, starts
 * terms where answers say that they may start, and makes every list long enough for two pages. Returns the owners of the keys.
 */
export async function runScenario(
  recording: Recording,
  examples: Examples,
): Promise<ReadonlyMap<string | undefined, KeyOwner>> {
  const { service } = recording;
  const admin = async (command: string, body: object): Promise<Json> =>
    (await service.send('POST', `/api/v1/admin/commands/${command}`, { key: ADMIN_KEY, body })).json.result;
  const issued = examples.get('admin/IssueApiKey');
  const exampleId = Number(bodyOf(examples, 'admin/IssueApiKey')['environment_id']);
  const shortCode = await shortCodeIn(service, exampleId);
  const environment = { short_code: shortCode, environment_name: 'Served', test_mode: false, time_zone: TIME_ZONE };
  const { environment_id } = await admin('CreateEnvironment', environment);
  const issueKey = async (id: number): Promise<string> =>
    (await admin('IssueApiKey', { environment_id: id, label: 'served values' })).api_key;
  // The examples end with the revocation of theirs.
  const exampleKey = await issueKey(exampleId);
  await admin('IssueApiKey', { role: 'auditor', label: 'second auditor' });
  const client = new Client(service, await issueKey(environment_id), environment_id);
  await renewAndCancel(recording, client);
  await buyQuotes(client, examples);
  const policy = await fileClaims(client);
  await parkProviders(service, client);
  await requestAnotherMail(service);
  await readAgain(recording, client, policy);
  return new Map([
    [issued?.response.json.result.api_key, { key: exampleKey, environmentId: String(exampleId), shortCode }],
    [client.key, { key: client.key, environmentId: String(environment_id), shortCode }],
  ]);
}

async function renewAndCancel({ service }: Recording, client: Client): Promise<void> {
  const renewal = { policy_duration: 30 };
  const cancellation = { cancellation_reason: 'Sold' };
  for (const name of ['policy_id', 'policy_number']) {
    const policy = await client.importPolicy();
    const named = { [name]: policy[name] };
    const overlapping = { ...named, ...renewal, preferred_policy_start_date: '2026-06-01' };
    const refused = await service.send('POST', '/api/v1/policies/renew', { key: client.key, body: overlapping });
    const start = { preferred_policy_start_date: refused.json.earliest_start };
    const { data } = await client.merchant('POST', 'policies/renew', { ...named, ...renewal, ...start });
    const next = { preferred_policy_start_date: data.renewal_date };
    await client.adminIn('RenewPolicy', { ...named, ...renewal, ...next });
    await client.merchant('POST', 'policies/cancel', { ...named, ...cancellation });

    const later = await client.importPolicy();
    const renewalDay = { preferred_policy_start_date: dayIn(TIME_ZONE, later.renewal_date) };
    await client.merchant('POST', 'policies/renew', { [name]: later[name], ...renewal, ...renewalDay });

    const [second, third] = [await client.importPolicy(), await client.importPolicy()];
    await client.adminIn('CancelPolicy', { [name]: second[name], ...cancellation });
    const search = new URLSearchParams({ [name]: third[name] }).toString();
    await client.merchant('POST', `policies/${third[name]}/auto_renew`, { auto_renew: true });
    await client.admin('SetAutoRenew', { policy_id: third.policy_id, auto_renew: false });
    await client.merchant('POST', `policies/cancel?${search}`, cancellation);
  }
}

/** Buys by code and by purchase id, from two offers of one request, to which another product makes none. */
async function buyQuotes(client: Client, examples: Examples): Promise<void> {
  const product = bodyOf(examples, 'admin/AddProduct');
  await client.admin('AddProduct', { ...product, name: 'Second Motor' });
  const rating = { rate: { field: 'vehicle_mileage', percent: '1' } };
  await client.admin('AddProduct', { ...product, name: 'Motor that makes no offer', rating });
  const request = bodyOf(examples, 'RequestQuotes');
  const requestQuotes = async (): Promise<Json> => (await client.merchant('POST', 'quotes', request)).results[0];
  const [first, second] = await requestQuotes();
  const [third] = await requestQuotes();
  await client.adminIn('RequestQuotes', request);
  const bought = { policy_duration: 90 };
  const named = { customer_reference: 'buyer' };
  const { policy_holder, customer_reference } = await client.merchant('POST', 'policies', {
    ...bought,
    ...named,
    purchase_id: first.purchase_id,
  });
  await client.adminIn('PurchasePolicy', { ...bought, customer_reference, quote_code: second.quote_code });
  await client.adminIn('PurchasePolicy', { ...bought, purchase_id: third.purchase_id });
  await renumber(client, policy_holder.customer_id, customer_reference);
}

/** Takes the reference of a customer away and gives it back, as the merchant and as the back office. */
async function renumber(client: Client, customer_id: string, customer_reference: string): Promise<void> {
  await client.merchant('PATCH', `customers/${customer_id}`, { customer_reference: null });
  await client.merchant('PATCH', `customers/${customer_id}`, { customer_reference });
  await client.admin('UpdateCustomer', { customer_id, customer_reference: null });
  await client.admin('UpdateCustomer', { customer_id, customer_reference });
}

/** Files claims, and pays one of them after a payment that is reversed. Returns their policy. */
async function fileClaims(client: Client): Promise<Json> {
  const policy = await client.importPolicy();
  const { policy_id, policy_number } = policy;
  const claim = { claim_details: { claim_type: 'Glass', incident_date: '2026-03-01', claim_amount: '100.00' } };
  const documents = [{ document_name: 'a.txt', evidence_type: 'letter', blob: 'YQ==' }];
  const { claim_id } = await client.merchant('POST', 'claims', { policy_id, ...claim, documents });
  await client.merchant('POST', 'claims', { policy_number, ...claim });
  await client.adminIn('SubmitClaim', { policy_id, ...claim });
  await client.adminIn('SubmitClaim', { policy_number, ...claim });
  const row = { incident_date: '2026-03-01', filed_on: '2026-03-02', claim_amount: '10.00', claim_status: 'pending' };
  await client.adminIn('ImportClaim', { claim_reference_number: 'C-1', policy_number, claim_type: 'Theft', ...row });
  await client.merchant('POST', `policies/${policy_id}/auto_renew`, { auto_renew: true });
  for (const move of ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim']) await client.admin(move, { claim_id });
  const { payment_id } = await client.admin('PayClaim', { claim_id, reference: 'TR-1' });
  await client.admin('ReversePayment', { claim_id, payment_id, reason: 'Returned' });
  await client.admin('PayClaim', { claim_id });
  return policy;
}

/** Parks two documents by events that no version can read. */
async function parkProviders(service: ApiService, client: Client): Promise<void> {
  for (const name of ['Parked Assurance', 'Parked Mutual']) {
    const support = { support_email: 'help@parked.example', support_phone: '+2348010000000' };
    const { provider_id } = await client.merchant('POST', 'onboarding/providers/registration', { name, ...support });
    const event = { id: randomUUID(), type: 'ProviderExtended.v1', data: {}, metadata: {} };
    await appendTo(service.eventStore, `provider-${provider_id}`, 0, [event]);
  }
  const results = await waitUntil(async () => {
    const { json } = await service.send('GET', '/api/v1/admin/parked', { key: ADMIN_KEY });
    return json.count === 2 && json.results;
  });
  const { collection, key } = results[0];
  await client.admin('RetryParked', { collection, key });
}

async function requestAnotherMail(service: ApiService): Promise<void> {
  const { json } = await service.send('GET', '/api/v1/admin/mail-jobs', { key: ADMIN_KEY });
  const { kind, tenant_id } = json.results[0];
  const job = { jobId: randomUUID(), kind, tenantId: tenant_id, serial: 1 };
  const { position } = await runSystemCommand(requestMail, job, service.parts.commandPorts);
  await service.projector.waitFor(position, 2_000);
}

/** Reads every list without filters, those of a policy and a customer with several of everything, and what administrators made. */
async function readAgain({ service, calls }: Recording, client: Client, policy: Json): Promise<void> {
  const lists = new Map(
    calls
      .filter(({ operation }) => operation.method === 'GET' && isList(operation))
      .map((call) => [call.operation, call]),
  );
  for (const { operation, pathname } of lists.values()) {
    const path = pathname
      .replace(/\/customers\/[^/]+/, `/customers/${policy.policy_holder.customer_id}`)
      .replace(/\/policies\/[^/]+\/(?=.)/, `/policies/${policy.policy_id}/`);
    const key = operation.roles.includes('merchant') ? client.key : ADMIN_KEY;
    const search = operation.required.includes('name') ? '?name=a' : '';
    await service.send('GET', `${path}${search}`, { key });
  }
  for (const { operation, body } of [...calls]) {
    const [policy, claim] = [textOf(body['policy_id']), textOf(body['claim_id'])];
    const path = claim === undefined ? `policies/${policy}` : `claims/${claim}`;
    if (operation.path.includes('/admin/commands/') && (claim ?? policy) !== undefined)
      await service.send('GET', `/api/v1/${path}`, { key: ADMIN_KEY });
  }
}

function bodyOf(examples: Examples, key: string): Readonly<Record<string, Json>> {
  return (examples.get(key)?.request.body ?? {}) as Readonly<Record<string, Json>>;
}

async function shortCodeIn(service: ApiService, environmentId: number): Promise<string> {
  const environment = await service.readModels.get('environments', String(environmentId));
  const merchant = await service.readModels.get('merchants', String(environment?.indexes['merchant']));
  return (JSON.parse(merchant?.body ?? '') as MerchantDocument).short_code;
}

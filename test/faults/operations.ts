import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { COMMANDS } from '#commands/registry.ts';
import { addDays } from '#domain/values/dates.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { mailJobStream } from '#domain/mail-job/mail-job.ts';
import { verificationTokens } from '#service/security/verification-token.ts';
import { termRow } from '../support/merchant-fixture.ts';
import {
  platformExampleBody,
  exampleBody,
  type ExampleIds,
  PUBLIC_PATHS,
  publicExample,
} from '../support/example-bodies.ts';
import type { Service } from '../support/service-process.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

/** A request that can be executed once. */
export interface Operation {
  /** Part of request ids and idempotency keys. */
  readonly name: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The commands that bring a claim to the status that a command needs. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  SendClaimForApproval: ['ReviewClaim'],
  ApproveClaim: ['ReviewClaim', 'SendClaimForApproval'],
  SendClaimOffer: ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim'],
  AcceptClaimOffer: ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim', 'SendClaimOffer'],
  RejectClaimOffer: ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim', 'SendClaimOffer'],
  PayClaim: ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim'],
  ReversePayment: ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim', 'PayClaim'],
  ReopenClaim: ['DenyClaim'],
};

const NEEDS_CLAIM: ReadonlySet<string> = new Set([
  'ReviewClaim',
  'DenyClaim',
  'WithdrawClaim',
  'ReviseClaim',
  'AddClaimNote',
  'AddClaimDocuments',
  ...Object.keys(MOVES),
]);
const NEEDS_ACCEPTED_POLICY: ReadonlySet<string> = new Set(['ActivatePolicy', 'DeclinePolicy']);
const NEEDS_QUOTE: ReadonlySet<string> = new Set(['PurchasePolicy', ...NEEDS_ACCEPTED_POLICY]);
/** Of a merchant, because others cannot be confirmed, and the one of the home must stay. */
const NEEDS_PROVIDER: ReadonlySet<string> = new Set(['ConfirmProvider', 'WithdrawProvider']);
const NEEDS_PRODUCT: ReadonlySet<string> = new Set(['UpdateProduct', 'WithdrawProduct', 'RestoreProduct']);

/** The environment and keys of the requests. */
interface Home extends Pick<ExampleIds, 'shortCode' | 'token' | 'environmentId' | 'providerId'> {
  readonly merchantKey: string;
}

/** Creates separate prerequisites for every public operation and every admin command. */
export class Preparation {
  readonly #service: Service;
  readonly #secret: string;
  /** Parked mails are appended after the service has stopped (`appendParkedMails`). */
  readonly #parked: { readonly jobId: string; readonly tenantId: string }[] = [];
  #words = 0;
  /** The same day for all requests, also across midnight. */
  readonly #today = new Date().toISOString().slice(0, 10);

  constructor(service: Service, secret: string) {
    this.#service = service;
    this.#secret = secret;
  }

  async createOperations(): Promise<readonly Operation[]> {
    const home = await this.#createHome();
    const operations: Operation[] = [];
    for (const { name } of COMMANDS) {
      // It is refused unless a document is parked.
      if (name === 'RetryParked') continue;
      const ids = await this.#createIdsFor(name, home);
      const path = `/api/v1/admin/commands/${name}`;
      const body = platformExampleBody(name, ids);
      operations.push({ name: `admin.${name}`, method: 'POST', path, key: this.#service.adminKey, body });
    }
    for (const name of Object.keys(PUBLIC_PATHS)) {
      const example = publicExample(name, await this.#createIdsFor(name, home));
      const method = name === 'SetBeneficiaries' ? 'PUT' : 'POST';
      operations.push({ name: `public.${name}`, method, key: home.merchantKey, ...example });
    }
    return operations;
  }

  /** Appends, after the service has stopped, the events that only its processes write. */
  async appendParkedMails(folder: string): Promise<void> {
    const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
    for (const { jobId, tenantId } of this.#parked) {
      const commandId = randomUUID();
      const metadata = {
        recordedAt: new Date().toISOString(),
        $correlationId: commandId,
        $causationId: commandId,
        actor: { role: 'system', keyId: null },
        command: { name: 'AttemptMail', id: commandId },
      };
      const effectiveAt = metadata.recordedAt.slice(0, 10);
      const job = { jobId, kind: 'onboarding', tenantId, serial: 1 };
      const events = [
        { type: 'MailRequested.v1', data: { ...job, reason: 'event', effectiveAt } },
        { type: 'MailAttempted.v1', data: { jobId, attempt: 1, effectiveAt } },
        { type: 'MailParked.v1', data: { jobId, attempt: 1, reason: 'refused', effectiveAt } },
      ];
      await appendTo(
        eventStore,
        mailJobStream(jobId),
        'no_stream',
        events.map((event) => ({ id: randomUUID(), ...event, metadata })),
      );
    }
    await eventStore.close();
  }

  async #createHome(): Promise<Home> {
    const merchant = await this.#createMerchant();
    const environment = { short_code: merchant.shortCode, environment_name: 'live', test_mode: false };
    const { environment_id: environmentId } = await this.#service.run('CreateEnvironment', environment);
    const { api_key: merchantKey } = await this.#service.run('IssueApiKey', {
      environment_id: environmentId,
      label: 'operations',
    });
    const { provider_id: providerId } = await this.#service.run('RegisterProvider', {
      name: 'Home Insurer',
      support_email: 'help@insurer.example',
      support_phone: '1',
    });
    const ids = { ...merchant, environmentId: Number(environmentId), providerId: String(providerId) };
    const productIds = { ...this.#missingIds(), ...ids };
    await this.#service.run('AddProduct', exampleBody('AddProduct', productIds));
    await this.#service.run('AddProduct', {
      ...exampleBody('AddProduct', { ...productIds, uniqueName: 'life' }),
      product_type: 'Life',
      rating: null,
      additional_information: null,
      inspection_required: true,
    });
    return { ...ids, merchantKey: String(merchantKey) };
  }

  async #createIdsFor(command: string, home: Home): Promise<ExampleIds> {
    const ids = { ...this.#missingIds(), ...home, ...(await this.#createMerchant()) };
    if (command === 'RevokeApiKey') {
      const { key_id: keyId } = await this.#service.run('IssueApiKey', {
        environment_id: home.environmentId,
        label: 'operations',
      });
      return { ...ids, keyId: String(keyId) };
    }
    if (['UpdatePerson', 'RemovePerson', 'EndSessions', 'IssueTicket'].includes(command)) {
      const { person_id: personId } = await this.#service.run('AddPerson', exampleBody('AddPerson', ids));
      return { ...ids, personId: String(personId) };
    }
    if (command === 'ResendMail') this.#parked.push({ jobId: ids.jobId, tenantId: ids.tenantId });
    if (NEEDS_PROVIDER.has(command)) return { ...ids, providerId: await this.#registerProvider(ids, home) };
    if (NEEDS_PRODUCT.has(command)) return { ...ids, productId: await this.#createProduct(command, ids) };
    if (NEEDS_QUOTE.has(command)) return { ...ids, ...(await this.#createQuote(command, ids)) };
    const policy = await this.#createPolicy(ids);
    if (command === 'AssignClaim') {
      const { key_id: keyId } = await this.#service.run('IssueApiKey', { role: 'claims', label: 'desk' });
      return { ...ids, ...policy, ...(await this.#createClaim(command, { ...ids, ...policy })), keyId: String(keyId) };
    }
    if (command === 'WithdrawTerm')
      await this.#service.run('RenewPolicy', platformExampleBody('RenewPolicy', { ...ids, ...policy }));
    if (command === 'ReinstatePolicy')
      await this.#service.run('CancelPolicy', platformExampleBody('CancelPolicy', { ...ids, ...policy }));
    if (!NEEDS_CLAIM.has(command)) return { ...ids, ...policy };
    return { ...ids, ...policy, ...(await this.#createClaim(command, { ...ids, ...policy })) };
  }

  /** Registers a merchant, not verified yet, and returns the token of its link. */
  async #createMerchant() {
    const merchant = await this.#service.run('RegisterMerchant', {
      name: 'Bank',
      business_email: 'office@bank.example',
    });
    const tenantId = String(merchant['tenant_id']);
    return {
      shortCode: String(merchant['short_code']),
      tenantId,
      token: verificationTokens(this.#secret)(tenantId, 1),
    };
  }

  async #registerProvider(ids: ExampleIds, { merchantKey }: Home): Promise<string> {
    const { path, body } = publicExample('RegisterProvider', ids);
    const response = await this.#service.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': merchantKey },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`RegisterProvider: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { readonly provider_id: string }).provider_id;
  }

  async #createProduct(command: string, ids: ExampleIds): Promise<string> {
    const product = await this.#service.run('AddProduct', { ...exampleBody('AddProduct', ids), is_live: false });
    if (command === 'RestoreProduct') await this.#service.run('WithdrawProduct', { product_id: product['product_id'] });
    return String(product['product_id']);
  }

  async #createPolicy(ids: ExampleIds): Promise<Pick<ExampleIds, 'policyId' | 'policyNumber' | 'customerId'>> {
    const term = {
      term_from: addDays(this.#today, -30),
      term_through: addDays(this.#today, 30),
      coverages: 'Third party',
    };
    const row = { ...termRow(`POL-${ids.uniqueName}`, term), environment_id: ids.environmentId };
    const policyId = String((await this.#service.run('ImportPolicyTerm', row))['policy_id']);
    return { policyId, policyNumber: row.policy_number, customerId: await this.#customerOf(policyId) };
  }

  async #customerOf(policyId: string): Promise<string> {
    const response = await this.#service.request(`/api/v1/policies/${policyId}`);
    const { policy_holder } = (await response.json()) as { readonly policy_holder: { readonly customer_id: string } };
    return policy_holder.customer_id;
  }

  /** Requests a quote; for an activation or a decline also buys a policy that requires inspection. */
  async #createQuote(command: string, ids: ExampleIds): Promise<Pick<ExampleIds, 'quoteCode' | 'policyId'>> {
    const request = platformExampleBody('RequestQuotes', ids);
    const life = { ...request, insurance_details: { product_type: 'Life' }, coverage_preferences: {} };
    const quoteResult = await this.#service.run('RequestQuotes', NEEDS_ACCEPTED_POLICY.has(command) ? life : request);
    const [quote] = quoteResult['quotes'] as readonly { readonly quote_code: string }[];
    const quoteCode = String(quote?.quote_code);
    if (!NEEDS_ACCEPTED_POLICY.has(command)) return { quoteCode, policyId: ids.policyId };
    const purchase = await this.#service.run('PurchasePolicy', {
      environment_id: ids.environmentId,
      quote_code: quoteCode,
    });
    return { quoteCode, policyId: String(purchase['policy_id']) };
  }

  async #createClaim(command: string, ids: ExampleIds): Promise<Pick<ExampleIds, 'claimId' | 'paymentId'>> {
    const { claim_id: claimId } = await this.#service.run('SubmitClaim', platformExampleBody('SubmitClaim', ids));
    const claim = { ...ids, claimId: String(claimId) };
    let { paymentId } = ids;
    for (const move of MOVES[command] ?? []) {
      const { payment_id = paymentId } = await this.#service.run(move, platformExampleBody(move, claim));
      paymentId = String(payment_id);
    }
    return { claimId: claim.claimId, paymentId };
  }

  /** Returns ids of missing resources and a unique name. */
  #missingIds(): ExampleIds {
    return {
      shortCode: 'NON-0000',
      token: 'none',
      environmentId: 0,
      keyId: 'none',
      personId: randomUUID(),
      providerId: randomUUID(),
      productId: randomUUID(),
      quoteCode: 'none',
      policyId: randomUUID(),
      policyNumber: 'none',
      customerId: randomUUID(),
      claimId: randomUUID(),
      paymentId: randomUUID(),
      jobId: randomUUID(),
      today: this.#today,
      renewalDay: addDays(this.#today, 31),
      incidentDay: addDays(this.#today, -5),
      uniqueName: `w${++this.#words}`,
    };
  }
}

import { ADMIN_KEY, type ApiResponse, type ApiService, startApiService } from '../../support/api-service.ts';
import { PROVIDER_INPUT } from '../../support/admin-fixtures.ts';
import { waitForPosition } from '../../support/test-projector.ts';
import { optionOf, requireOption, type Row } from './examples.ts';
import { changeOf, importedTermOf, pricesOf, productOf, purchaseOf, quoteRequestOf, renewalOf } from './requests.ts';

type Json = ApiResponse['json'];
type Fields = Readonly<Record<string, string>>;

/** What a command of the page did. */
export interface Outcome {
  /** The code of the refusal; undefined when the command was accepted. */
  readonly refusal: string | undefined;
  /** The entries of the policy's transactions since the last command, as the page writes them. */
  readonly transactions: readonly string[];
  /** Fields by name, as texts. */
  readonly fields: Fields;
}

/** Figures of a book in which no policy counts. */
const NO_FIGURES: Fields = Object.fromEntries(
  ['in_force', 'written', 'earned', 'unearned', 'returned'].map((name) => [`premium_${name}`, '0.00']),
);

/** Runs the commands of one table of examples on a service of its own. */
export class PolicyLife {
  readonly #service: ApiService;
  #key = '';
  #environmentId = 0;
  #providerId = '';
  #productId = '';
  /** The policy that was bought or imported last. */
  #policyId: string | undefined;
  #imports = 0;
  #transactionsRead = 0;

  private constructor(service: ApiService) {
    this.#service = service;
  }

  static async start(day: string): Promise<PolicyLife> {
    const service = await startApiService();
    const life = new PolicyLife(service);
    service.clock.now = `${day}T09:00:00.000Z`;
    const merchant = { name: 'Acme Bank', business_email: 'office@acme.example' };
    const { short_code } = await service.admin('RegisterMerchant', merchant);
    const environment = { short_code, environment_name: 'Production', test_mode: false };
    life.#environmentId = (await service.admin('CreateEnvironment', environment)).environment_id;
    const key = { environment_id: life.#environmentId, label: 'till' };
    life.#key = (await service.admin('IssueApiKey', key)).api_key;
    life.#providerId = (await service.admin('RegisterProvider', PROVIDER_INPUT)).provider_id;
    return life;
  }

  async stop(): Promise<void> {
    await this.#service.stop();
  }

  /** Runs a command on its day at 10:00 UTC. */
  async run({ day, command }: Row): Promise<Outcome> {
    this.#service.clock.now = `${day}T10:00:00.000Z`;
    const response = await this.#send(command);
    const isRefused = response !== undefined && response.status >= 400;
    return {
      refusal: isRefused ? response.json.code : undefined,
      transactions: await this.#newTransactions(),
      fields: isRefused ? {} : await this.#fieldsAfter(command, response),
    };
  }

  /** Returns the response; undefined for the scheduler, which has none. */
  async #send(command: string): Promise<ApiResponse | undefined> {
    const policy = { policy_id: this.#policyId };
    const [verb = ''] = command.split(/[ :]/);
    switch (verb) {
      case 'offer':
        return await this.#offer(command);
      case 'reprice':
        return await this.#admin('UpdateProduct', { product_id: this.#productId, ...pricesOf(command) });
      case 'quote':
        return await this.#quote(command);
      case 'buy':
        return await this.#buy(command);
      case 'import':
        return await this.#import(command);
      case 'activate':
        return await this.#admin('ActivatePolicy', policy);
      case 'decline':
        return await this.#admin('DeclinePolicy', { ...policy, reason: 'Not insurable' });
      case 'renew':
        return await this.#post('policies/renew/', { ...policy, ...renewalOf(command) });
      case 'change':
        return await this.#post(`policies/${this.#policyId}/changes/`, changeOf(command));
      case 'withdraw': {
        const from = requireOption(command, 'from');
        return await this.#admin('WithdrawTerm', { ...policy, from, reason: 'A mistake' });
      }
      case 'cancel':
        return await this.#cancel(command);
      case 'reinstate':
        return await this.#admin('ReinstatePolicy', { ...policy, reason: 'A mistake' });
      case 'claim': {
        const claim_details = {
          claim_type: 'Theft',
          incident_date: requireOption(command, 'on'),
          claim_amount: '100.00',
        };
        return await this.#post('claims', { ...policy, claim_details });
      }
      case 'run':
        await this.#catchUp();
        await this.#service.scheduler.runOnce();
        return undefined;
      case 'view':
        return await this.#get(this.#viewPath(command));
      case 'portfolio':
        return await this.#get(`audit/portfolio/?as_of=${requireOption(command, 'as of')}`, ADMIN_KEY);
      default:
        throw new Error(`unknown command: ${command}`);
    }
  }

  async #offer(command: string): Promise<ApiResponse> {
    const response = await this.#admin('AddProduct', { provider_id: this.#providerId, ...productOf(command) });
    this.#productId = response.json.result?.product_id;
    return response;
  }

  async #quote(command: string): Promise<ApiResponse> {
    const response = await this.#post('quotes', quoteRequestOf(command));
    const code = response.json.results?.flat()[0]?.quote_code;
    return code === undefined ? response : await this.#get(`quotes/${code}/`);
  }

  async #buy(command: string): Promise<ApiResponse> {
    const { quote_code } = (await this.#quote(command)).json;
    const response = await this.#post('policies', { quote_code, ...purchaseOf(command) });
    this.#use(response.json.policy_id);
    return response;
  }

  async #import(command: string): Promise<ApiResponse> {
    this.#imports += 1;
    const row = importedTermOf(command, `OLD-${this.#imports}`);
    const response = await this.#admin('ImportPolicyTerm', { ...row, environment_id: this.#environmentId });
    this.#use(response.json.result?.policy_id);
    return response;
  }

  #use(policyId: string | undefined): void {
    if (policyId === undefined) return;
    this.#policyId = policyId;
    this.#transactionsRead = 0;
  }

  /** Cancels as the merchant; as the platform when the command has it. */
  async #cancel(command: string): Promise<ApiResponse> {
    const effectiveOn = optionOf(command, 'as of');
    const body = {
      policy_id: this.#policyId,
      cancellation_reason: 'Sold',
      ...(effectiveOn === undefined ? {} : { effective_on: effectiveOn }),
    };
    return command.endsWith(' by the platform')
      ? await this.#admin('CancelPolicy', { ...body, environment_id: this.#environmentId })
      : await this.#post('policies/cancel', body);
  }

  #viewPath(command: string, below = ''): string {
    const knownAt = optionOf(command, 'known at');
    const known = knownAt === undefined ? '' : `&known_at=${knownAt}T23:59:59.999Z`;
    return `policies/${this.#policyId}/${below}?as_of=${requireOption(command, 'as of')}${known}`;
  }

  async #fieldsAfter(command: string, response: ApiResponse | undefined): Promise<Fields> {
    const [verb] = command.split(' ');
    if (verb === 'portfolio') return { ...NO_FIGURES, ...textsOf(response?.json.results[0]) };
    if (verb === 'quote') return { ...textsOf(response?.json), ...textsOf(response?.json.product.price_text) };
    if (verb === 'view') {
      const { results } = (await this.#get(this.#viewPath(command, 'terms/'))).json;
      return { ...fieldsOfPolicy(response?.json), ...fieldsOfTerms(results) };
    }
    const body = response?.json.result ?? response?.json;
    const answered = { ...textsOf(body), ...textsOf(body?.data) };
    if (this.#policyId === undefined) return answered;
    const policy = (await this.#get(`policies/${this.#policyId}/`)).json;
    const { results, auto_renew } = (await this.#get(`policies/${this.#policyId}/terms/`)).json;
    return { ...answered, ...fieldsOfPolicy(policy), ...textsOf({ auto_renew }), ...fieldsOfTerms(results) };
  }

  async #newTransactions(): Promise<readonly string[]> {
    if (this.#policyId === undefined) return [];
    const { results } = (await this.#get(`policies/${this.#policyId}/transactions/?limit=100`)).json;
    const added = results.slice(this.#transactionsRead);
    this.#transactionsRead = results.length;
    return added.map(describeTransaction);
  }

  async #post(path: string, body: object): Promise<ApiResponse> {
    await this.#catchUp();
    return await this.#service.send('POST', `/api/v1/${path}`, { key: this.#key, body });
  }

  async #admin(command: string, body: object): Promise<ApiResponse> {
    await this.#catchUp();
    return await this.#service.send('POST', `/api/v1/admin/commands/${command}`, { key: ADMIN_KEY, body });
  }

  async #get(path: string, key = this.#key): Promise<ApiResponse> {
    await this.#catchUp();
    return await this.#service.send('GET', `/api/v1/${path}`, { key });
  }

  async #catchUp(): Promise<void> {
    await waitForPosition(this.#service.projector, (await this.#service.eventStore.lastPosition()) ?? 0n);
  }
}

/** Returns the members of an object that are neither objects nor lists, as texts. */
function textsOf(object: Json): Fields {
  const members = Object.entries<unknown>(object ?? {}).filter(
    ([, value]) => value === null || typeof value !== 'object',
  );
  return Object.fromEntries(members.map(([name, value]) => [name, String(value)]));
}

function fieldsOfPolicy(policy: Json): Fields {
  return { ...textsOf(policy), term: `${policy.effective_from} through ${policy.effective_through}` };
}

function fieldsOfTerms(terms: readonly Json[]): Fields {
  const periods: readonly Json[] = terms.flatMap((term) => term.periods);
  return Object.fromEntries(
    periods.map(({ from, through, annual_net, net }) => [
      `period ${from} through ${through}`,
      `annual_net ${annual_net}, net ${net}`,
    ]),
  );
}

/**
 * Writes a transaction as the page does: without parts that are 0.00 or not known, and without a net part that is all
 * of it.
 */
function describeTransaction({ kind, amount, date, net, fee, tax, commission }: Json): string {
  const parts = Object.entries<string | null>({ net: net === amount ? null : net, fee, tax, commission });
  const shown = parts.flatMap(([name, part]) => (part === null || Number(part) === 0 ? [] : [`${name} ${part}`]));
  return [`${kind} ${amount} on ${date}`, ...shown].join(', ');
}

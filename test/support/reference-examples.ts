import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import { attemptMail, concludeMail, requestMail } from '#commands/mail/mail-moves.ts';
import { type Operation, operationsOf } from '#http/reference/openapi/operations.ts';
import type { Json, RequestExample } from '#http/reference/openapi/page.ts';
import { type Route, takesIdempotencyKey } from '#http/server/route.ts';
import { runSystemCommand } from '#event-sourcing/executor/execute-command.ts';
import { verificationTokens } from '#service/security/verification-token.ts';
import { ADMIN_KEY, type ApiResponse, type ApiService, SECRET } from './api-service.ts';
import { createExampleSample } from './example-sample.ts';
import { waitUntil } from './wait-until.ts';
import { takeOverServed } from './write-documents.ts';

export type { Operation };

/**
 * The examples of the API reference in an order in which each finds its prerequisites. Every request has a separate
 * idempotency key and request id, so that the generated ids are the same in every run.
 */
const EXAMPLE_SEQUENCE: readonly (string | SetupStep)[] = [
  'admin/IssueApiKey',
  'admin/RegisterMerchant',
  'admin/CreateEnvironment',
  'admin/RegisterProvider',
  'admin/AddProduct',
  'RegisterProvider',
  { scene: 'thirdMerchant', create: async (run) => await registerMerchant(run, 'Sunrise Savings', 1) },
  'VerifyMerchant',
  'admin/ResendVerification',
  'admin/VerifyMerchant',
  'VerificationPage',
  'VerifyOnPage',
  'RequestQuotes',
  'GetQuote',
  'GetPolicy',
  'GetCustomer',
  'GetClaim',
  'GetClaimHistory',
  'GetClaimDocument',
  'ListCustomerClaims',
  'ListCustomerPolicies',
  'GetPolicyHistory',
  'ListPolicyTerms',
  'GetCertificate',
  'ListPolicyTransactions',
  'ListPolicyClaims',
  'GetCustomerHistory',
  'ListCustomerTransactions',
  'PurchasePolicy',
  'SubmitClaim',
  'AddClaimDocuments',
  'admin/AddClaimDocuments',
  'admin/ReviewClaim',
  'admin/SendClaimForApproval',
  'admin/ApproveClaim',
  'admin/SendClaimOffer',
  'RejectClaimOffer',
  { scene: 'offerAgain', create: async (run) => await sendOffer(run, '6f64bc4c-03df-5fcf-9b5b-1db3b6684359') },
  'AcceptClaimOffer',
  'admin/RejectClaimOffer',
  { scene: 'testOfferAgain', create: async (run) => await sendOffer(run, '7bdadd31-4b26-56fd-9f8c-5b1f519e10ec') },
  'admin/AcceptClaimOffer',
  'admin/PayClaim',
  'admin/ReversePayment',
  'admin/DenyClaim',
  'admin/ReopenClaim',
  'admin/ReviseClaim',
  'admin/AddClaimNote',
  'AddClaimNote',
  'admin/AssignClaim',
  'admin/WithdrawClaim',
  'WithdrawClaim',
  'UpdateCustomer',
  'RenewPolicy',
  'ChangePolicy',
  'SetAutoRenew',
  'SetBeneficiaries',
  'ListPolicies',
  'admin/RequestQuotes',
  'admin/PurchasePolicy',
  'admin/ActivatePolicy',
  'admin/DeclinePolicy',
  'admin/ImportPolicyTerm',
  'admin/ChangePolicy',
  'admin/SetAutoRenew',
  'admin/SetBeneficiaries',
  'admin/ImportClaim',
  'admin/SubmitClaim',
  'admin/RenewPolicy',
  'admin/WithdrawTerm',
  'admin/ReinstatePolicy',
  'admin/CancelPolicy',
  'admin/UpdateCustomer',
  'admin/UpdateMerchant',
  'admin/ConfirmKyc',
  'GetMerchant',
  'GetMerchantHistory',
  'ListMerchantPolicies',
  'ListMerchantTransactions',
  'ListMerchantCustomers',
  'ListMerchantClaims',
  'ListClaims',
  'GetWork',
  'ListMerchants',
  'GetPortfolio',
  'StartVerification',
  { scene: 'verification', create: async (run) => await waitForEnd(run, 'verifications', 'StartVerification') },
  'GetVerification',
  'ListVerifications',
  'GetEnvironment',
  'ListMerchantEnvironments',
  'ListEnvironmentKeys',
  { scene: 'auditorKey', create: async (run) => await issueAuditorKey(run) },
  'ListPlatformKeys',
  'GetMe',
  'Find',
  'ListEvents',
  'admin/UpdateProvider',
  'admin/UpdateProduct',
  'admin/WithdrawProduct',
  'admin/RestoreProduct',
  'GetProduct',
  'ListProducts',
  'admin/ConfirmProvider',
  'ListInsurers',
  'SearchProviders',
  'admin/WithdrawProvider',
  'CancelPolicy',
  { scene: 'parkedMail', create: async (run) => await createParkedMail(run) },
  'ListMailJobs',
  'admin/ResendMail',
  { scene: 'parkedDocument', create: async (run) => await parkPolicy(run) },
  'ListParked',
  'admin/RetryParked',
  'RequestRebuild',
  { scene: 'rebuild', create: async (run) => await waitForEnd(run, 'rebuilds', 'RequestRebuild') },
  'GetStatus',
  'GetRebuild',
  'ListRebuilds',
  'ListCommands',
  'Live',
  'Ready',
  'Metrics',
  'OpenApi',
  'AsyncApi',
  'Reference',
  'ErrorCodes',
  'Events',
  'PublicEvents',
  'admin/AddPerson',
  'admin/UpdatePerson',
  'admin/EndSessions',
  'admin/IssueTicket',
  'ListPersons',
  'admin/RemovePerson',
  'OpenSession',
  'EndSession',
  'admin/RevokeApiKey',
];

/** Creates a prerequisite that no example creates. */
interface SetupStep {
  readonly scene: string;
  readonly create: (run: ExampleRun) => Promise<Json>;
}

/** The request and response of an example. */
export interface ExampleCall {
  readonly operation: Operation;
  readonly request: RequestExample;
  readonly response: ApiResponse;
}

interface ExampleRun {
  readonly service: ApiService;
  /** The calls so far. */
  readonly calls: ReadonlyMap<string, ExampleCall>;
  readonly merchantKey: () => string;
}

/** Returns the operations of the reference by their keys. */
export function documentedOperations(service: ApiService): ReadonlyMap<string, Operation> {
  return new Map(service.http.routes.flatMap(operationsOf).map((operation) => [operation.key, operation]));
}

type Members = Readonly<Record<string, string>>;

/** The token of the merchant of the sample, under the secret of the tests. */
const TOKEN = 'JXE61_Egg2gjjjzbPHe87uFSI3DmAu56';

/** What the reference shows no example of, because the sample has no value for it. */
const UNSHOWN: Readonly<
  Record<string, (scene: Record<string, Json>, calls: ReadonlyMap<string, ExampleCall>) => RequestExample>
> = {
  VerifyMerchant: () => ({ query: { token: TOKEN } }),
  VerificationPage: () => ({ query: { token: TOKEN } }),
  VerifyOnPage: ({ thirdMerchant }) => {
    const { short_code = '', token = '' } = thirdMerchant as Members;
    return { path: { short_code }, body: { token } };
  },
  OpenSession: () => ({ body: { api_key: ADMIN_KEY } }),
  GetVerification: (_, calls) => ({ path: { verification_id: jsonOf(calls, 'StartVerification').verification_id } }),
  GetRebuild: (_, calls) => ({ path: { rebuild_id: jsonOf(calls, 'RequestRebuild').rebuild_id } }),
};

function jsonOf(calls: ReadonlyMap<string, ExampleCall>, key: string): ApiResponse['json'] {
  return calls.get(key)?.response.json;
}

/**
 * What the platform sends in place of values of an example with which the public operation has done the same: those of
 * the test mode of the sample, or other ones.
 */
const OTHER_VALUES: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  'admin/RegisterProvider': { name: 'Sahel Specialty Insurance' },
  'admin/PurchasePolicy': { quote_code: 'Quo_0k2vc_10aed800', environment_id: 2 },
  'admin/RenewPolicy': { policy_id: '8783ce50-3b16-55fa-852c-2291b22ece31', environment_id: 2 },
  'admin/ChangePolicy': { policy_id: '8783ce50-3b16-55fa-852c-2291b22ece31', environment_id: 2 },
  'admin/SetAutoRenew': { policy_id: '8783ce50-3b16-55fa-852c-2291b22ece31' },
  'admin/SetBeneficiaries': { beneficiaries: [{ beneficiary_name: 'Ngozi Okafor' }] },
  'admin/UpdateCustomer': { address: '4 Allen Avenue, Ikeja' },
  'admin/CancelPolicy': { policy_number: 'LAG-94R7NH5TZB', environment_id: 2 },
  'admin/RejectClaimOffer': { claim_id: '7bdadd31-4b26-56fd-9f8c-5b1f519e10ec' },
  'admin/AcceptClaimOffer': { claim_id: '7bdadd31-4b26-56fd-9f8c-5b1f519e10ec' },
  'admin/WithdrawClaim': { claim_id: 'da391d2b-9d1a-5fb8-84cb-ed0dd48b5a73' },
};

function requestOf({ key, example }: Operation): RequestExample {
  const others = OTHER_VALUES[key];
  return others === undefined ? example : { ...example, body: { ...(example.body as object), ...others } };
}

/** Examples about persons and keys of the sample, which no other example makes. */
const OF_STAFF = ['admin/UpdatePerson', 'admin/RemovePerson', 'admin/RevokeApiKey'];

/**
 * Runs those examples of the platform as they are shown, on a fresh service: on that of `runExamples` the public
 * operation has done the same, or another example has made what they are about.
 */
export async function runShownExamples(service: ApiService): Promise<readonly (readonly [string, ApiResponse])[]> {
  const operations = documentedOperations(service);
  await createExampleSample(service);
  const run: ExampleRun = { service, calls: new Map(), merchantKey: () => '' };
  const responses: [string, ApiResponse][] = [];
  for (const key of [...Object.keys(OTHER_VALUES), ...OF_STAFF]) {
    const operation = operations.get(key);
    if (operation === undefined) throw new Error(`no operation has the key ${key}`);
    // Its offer is rejected by then.
    if (key === 'admin/AcceptClaimOffer') await sendOffer(run, '6f64bc4c-03df-5fcf-9b5b-1db3b6684359');
    responses.push([key, await send(run, operation, operation.example)]);
  }
  return responses;
}

/** Runs all examples on a fresh service. */
export async function runExamples(service: ApiService): Promise<{ readonly calls: ReadonlyMap<string, ExampleCall> }> {
  const operations = documentedOperations(service);
  const calls = new Map<string, ExampleCall>();
  const scene: Record<string, Json> = {};
  const merchantKey = (): string => calls.get('admin/IssueApiKey')?.response.json.result.api_key ?? '';
  const run: ExampleRun = { service, calls, merchantKey };
  await createExampleSample(service);
  for (const step of EXAMPLE_SEQUENCE) {
    if (typeof step !== 'string') {
      scene[step.scene] = await step.create(run);
      continue;
    }
    const operation = operations.get(step);
    if (operation === undefined) throw new Error(`no operation has the key ${step}`);
    const request = { ...requestOf(operation), ...UNSHOWN[step]?.(scene, calls) };
    const response = await send(run, operation, request);
    calls.set(step, { operation, request, response });
  }
  return { calls };
}

/** Sends a documented request with the key of a role that is allowed to. */
export async function send(
  { service, merchantKey }: Pick<ExampleRun, 'service' | 'merchantKey'>,
  { route, path, key }: Operation,
  { path: pathParameters = {}, query = {}, body }: RequestExample,
): Promise<ApiResponse> {
  const requestPath = filledPath(path, pathParameters);
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, textOf(value)]),
  ).toString();
  const name = key.replaceAll('/', '-');
  const { isForm = false, mediaType = 'application/json' } = route.reference;
  const form = isForm ? { raw: new URLSearchParams(body as Record<string, string>).toString() } : {};
  return await service.send(route.method, search === '' ? requestPath : `${requestPath}?${search}`, {
    ...(route.roles === 'anyone' ? {} : { key: route.roles.includes('merchant') ? merchantKey() : ADMIN_KEY }),
    ...(isForm ? form : { body }),
    headers: {
      'X-Request-Id': `example-${name}`,
      Accept: mediaType,
      ...headersOfPage(route),
      ...(isForm ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
      ...(takesIdempotencyKey(route) ? { 'Idempotency-Key': `example-${name}` } : {}),
    },
  });
}

/** Returns the headers of a request that only a page of the service may send. */
export function headersOfPage(route: Route): Readonly<Record<string, string>> {
  const isSameOrigin = route.roles === 'anyone' && route.isSameOrigin === true;
  return isSameOrigin ? { 'Sec-Fetch-Site': 'same-origin', 'X-Surety-Console': '1' } : {};
}

/** Returns the path with the values of its parameters. */
export function filledPath(path: string, parameters: RequestExample['path'] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(parameters[name])));
}

/** Returns a value as it is written in a path or a query string. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Encodes a body as form entries, with members of objects in brackets. */
export function formEntries(body: Json, name = ''): [string, string][] {
  if (typeof body !== 'object' || body === null) return [[name, String(body)]];
  return Object.entries(body).flatMap(([member, value]) =>
    formEntries(value, name === '' ? member : `${name}[${member}]`),
  );
}

/** Waits for the end of a rebuild or verification, so that the example is the same in every run. */
async function waitForEnd({ service, calls }: ExampleRun, name: string, started: string): Promise<Json> {
  const { rebuild_id, verification_id } = jsonOf(calls, started);
  return await waitUntil(async () => {
    const path = `/api/v1/admin/${name}/${rebuild_id ?? verification_id}/`;
    const { json } = await service.send('GET', path, { key: ADMIN_KEY });
    return json.state !== 'running' && (json.state as Json);
  });
}

async function runSetupCommand(
  run: ExampleRun,
  command: string,
  key: string,
  body: object,
): Promise<Record<string, string>> {
  const response = await run.service.send('POST', `/api/v1/admin/commands/${command}`, {
    key: ADMIN_KEY,
    body,
    headers: { 'Idempotency-Key': `scene-${key}`, 'X-Request-Id': `scene-${key}` },
  });
  if (response.status > 201) throw new Error(`${command}: ${response.text}`);
  return response.json.result;
}

async function registerMerchant(run: ExampleRun, name: string, serial: number): Promise<Json> {
  const body = { name, business_email: `office@${name.split(' ')[0]?.toLowerCase()}.example` };
  const { tenant_id = '', short_code = '' } = await runSetupCommand(
    run,
    'RegisterMerchant',
    name.replace(' ', '-'),
    body,
  );
  return { tenant_id, short_code, token: verificationTokens(SECRET)(tenant_id, serial) };
}

async function issueAuditorKey(run: ExampleRun): Promise<Json> {
  const { key_id = '' } = await runSetupCommand(run, 'IssueApiKey', 'auditor', {
    role: 'auditor',
    label: 'audit 2026',
  });
  return { key_id };
}

/** Sends another offer for a claim of the sample whose offer was rejected. */
async function sendOffer(run: ExampleRun, claim_id: string): Promise<Json> {
  return await runSetupCommand(run, 'SendClaimOffer', claim_id, { claim_id });
}

/** Parks the policy of the sample, as if its last event could not be folded. */
async function parkPolicy({ service: { readModels } }: ExampleRun): Promise<Json> {
  const policy_id = 'c530ddb5-2b6b-5b7a-ae28-8fa4b289d210';
  const stored = await readModels.get('policies', policy_id);
  if (stored === undefined) throw new Error('the sample has no policy');
  const { position } = stored;
  const parked = { reason: 'cannot be folded', eventId: policy_id, eventType: 'PolicyPurchased.v1', position };
  const document = { ...stored, parked, replaces: { position, isParked: false } };
  await (await takeOverServed(readModels)).write([[{ collection: 'policies', documents: [document] }]]);
  return { policy_id };
}

/** Creates a mail job that is parked after a permanent refusal. */
async function createParkedMail(run: ExampleRun): Promise<Json> {
  const { result } = jsonOf(run.calls, 'admin/RegisterMerchant');
  const job_id = '9c1f0d52-7e3a-4c55-8b0e-4f2d1a6b7c80';
  const job = { jobId: job_id, kind: 'onboarding', tenantId: result.tenant_id, serial: 1 };
  const execute = async (command: AnyCommand, input: unknown): Promise<void> => {
    const { position } = await runSystemCommand(command, input, run.service.parts.commandPorts);
    await run.service.projector.waitFor(position, 2000);
  };
  await execute(requestMail, job);
  await execute(attemptMail, { jobId: job_id });
  const outcome = { status: 'refused', reason: 'recipient_refused', smtpCode: 550, retryAfterMs: null };
  await execute(concludeMail, { jobId: job_id, attempt: 1, outcome });
  return { job_id };
}

import type { AnyCommand } from '../../src/command-handling/command.ts';
import { executeCommand } from '../../src/command-handling/execute-command.ts';
import { attemptMail } from '../../commands/mail/attempt-mail.ts';
import { concludeMail } from '../../commands/mail/conclude-mail.ts';
import { requestMail } from '../../commands/mail/request-mail.ts';
import { exampleOf } from '../../src/http/openapi/examples.ts';
import { type Operation, operationsOf } from '../../src/http/openapi/operations-of.ts';
import type { Json, RequestExample } from '../../src/http/openapi/page.ts';
import { verificationTokens } from '../../src/security/verification-token.ts';
import { ADMIN_KEY, type ApiAnswer, type ApiService, SECRET } from './api-service.ts';

export type { Operation };

/**
 * The examples of the reference as one story, in an order in which each finds what it needs. Every request goes with its
 * own idempotency key and request id, so that the ids it makes are the same each time.
 */
const STORY: readonly (string | SceneStep)[] = [
  'admin/RegisterMerchant',
  { scene: 'token', make: (story) => Promise.resolve(tokenOf(story, 'admin/RegisterMerchant', 1)) },
  'admin/CreateEnvironment',
  'admin/IssueApiKey',
  'admin/RegisterProvider',
  'admin/AddProduct',
  'RegisterProvider',
  { scene: 'otherMerchant', make: async (story) => await anotherMerchant(story, 'Lighthouse Finance', 2) },
  { scene: 'thirdMerchant', make: async (story) => await anotherMerchant(story, 'Sunrise Savings', 1) },
  'VerifyMerchant',
  'admin/ResendVerification',
  'admin/VerifyMerchant',
  'VerificationPage',
  'VerifyOnPage',
  'RequestQuotes',
  'GetQuote',
  'PurchasePolicy',
  'GetPolicy',
  'SubmitClaim',
  'GetCustomer',
  'admin/ReviewClaim',
  'admin/SendClaimForApproval',
  'admin/ApproveClaim',
  'admin/SendClaimOffer',
  'admin/AcceptClaimOffer',
  'admin/PayClaim',
  'GetClaim',
  'GetClaimHistory',
  'ListCustomerClaims',
  'RenewPolicy',
  'ListPolicies',
  'GetPolicyHistory',
  'GetCustomerHistory',
  { scene: 'cargoProduct', make: async (story) => await cargoProduct(story) },
  'admin/RequestQuotes',
  'admin/PurchasePolicy',
  'admin/ActivatePolicy',
  'admin/ImportPolicyTerm',
  'admin/ImportClaim',
  'admin/SubmitClaim',
  'admin/DenyClaim',
  'admin/RenewPolicy',
  'admin/CancelPolicy',
  'admin/UpdateMerchant',
  'admin/ConfirmKyc',
  'GetMerchant',
  'GetMerchantHistory',
  'ListMerchants',
  'GetEnvironment',
  'admin/UpdateProvider',
  'admin/UpdateProduct',
  'admin/WithdrawProduct',
  'admin/RestoreProduct',
  'GetProduct',
  'ListProducts',
  'ListInsurers',
  'SearchProviders',
  'CancelPolicy',
  { scene: 'parkedMail', make: async (story) => await parkedMail(story) },
  'ListMailJobs',
  'admin/ResendMail',
  'admin/RetryParked',
  'ListParked',
  'ListCommands',
  'Live',
  'Ready',
  'Metrics',
  'OpenApi',
  'Reference',
  'ErrorCodes',
  'Events',
  'admin/RevokeApiKey',
];

/** Something that an example needs and no other example makes. */
interface SceneStep {
  readonly scene: string;
  readonly make: (story: Story) => Promise<Json>;
}

/** One request of the story with its answer. */
export interface Told {
  readonly operation: Operation;
  readonly request: RequestExample;
  readonly answer: ApiAnswer;
  /** The body of the answer as the reference shows it: without what is never the same. */
  readonly shown: Json;
}

interface Story {
  readonly service: ApiService;
  /** What was answered so far, as shown, and the scene. */
  readonly answers: Record<string, Json>;
  readonly merchantKey: () => string;
}

/** All operations of the reference by their keys. */
export function documentedOperations(service: ApiService): ReadonlyMap<string, Operation> {
  return new Map(service.http.routes.flatMap(operationsOf).map((operation) => [operation.key, operation]));
}

/** Tells the whole story to a fresh service. `answers` is what the reference keeps of it. */
export async function tellStory(
  service: ApiService,
): Promise<{ readonly told: ReadonlyMap<string, Told>; readonly answers: Record<string, Json> }> {
  const operations = documentedOperations(service);
  const told = new Map<string, Told>();
  const scene: Record<string, Json> = {};
  const answers: Record<string, Json> = { scene };
  const merchantKey = (): string => told.get('admin/IssueApiKey')?.answer.json.result.api_key ?? '';
  const story: Story = { service, answers, merchantKey };
  for (const step of STORY) {
    if (typeof step !== 'string') {
      scene[step.scene] = await step.make(story);
      continue;
    }
    const operation = operations.get(step);
    if (operation === undefined) throw new Error(`no operation is called ${step}`);
    const request = exampleOf(operation.page, answers);
    const answer = await send(story, operation, request);
    const shown = withoutChance(answer.json as Json);
    if (answer.json !== undefined && step !== 'OpenApi') answers[step] = shown;
    told.set(step, { operation, request, answer, shown });
  }
  return { told, answers };
}

/** Sends a request as documented, with the key of a role that may. */
export async function send(
  { service, merchantKey }: Pick<Story, 'service' | 'merchantKey'>,
  { route, path, key, page }: Operation,
  { path: inPath = {}, query = {}, body }: RequestExample,
): Promise<ApiAnswer> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name])));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const name = key.replaceAll('/', '-');
  const form = page?.formOnly === true ? { raw: new URLSearchParams(body as Record<string, string>).toString() } : {};
  return await service.send(route.method, search === '' ? filled : `${filled}?${search}`, {
    ...(route.roles === 'anyone' ? {} : { key: route.roles.includes('merchant') ? merchantKey() : ADMIN_KEY }),
    ...(page?.formOnly === true ? form : { body }),
    headers: {
      'X-Request-Id': `example-${name}`,
      ...(page?.formOnly === true ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
      ...(route.method === 'POST' ? { 'Idempotency-Key': `example-${name}` } : {}),
    },
  });
}

/** A body as the entries of a form, with the members of objects in brackets. */
export function formEntries(body: Json, name = ''): [string, string][] {
  if (typeof body !== 'object' || body === null) return [[name, String(body)]];
  return Object.entries(body).flatMap(([member, value]) =>
    formEntries(value, name === '' ? member : `${name}[${member}]`),
  );
}

/** What differs from run to run, or with every further event: positions, secrets, the version of the program. */
const BY_CHANCE: Readonly<Record<string, Json>> = {
  position: '42',
  api_key: 'sk_live_k1a2b3c4d5e6f7_not-a-real-key',
  version: '0.1.0',
};

function withoutChance(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutChance);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    typeof member === 'string' ? (BY_CHANCE[name] ?? member) : withoutChance(member),
  ]);
  const shown = Object.fromEntries(members) as Record<string, Json>;
  // The schemas of all commands would fill a page that nobody reads: one shows what they look like.
  return Array.isArray(shown['commands']) ? { commands: shown['commands'].slice(0, 1) } : shown;
}

function tokenOf({ answers }: Story, operation: string, serial: number): string {
  const { tenant_id } = (answers[operation] as { result: { tenant_id: string } }).result;
  return verificationTokens(SECRET)(tenant_id, serial);
}

async function inScene(story: Story, command: string, key: string, body: object): Promise<Record<string, string>> {
  const answer = await story.service.send('POST', `/api/v1/admin/commands/${command}`, {
    key: ADMIN_KEY,
    body,
    headers: { 'Idempotency-Key': `scene-${key}`, 'X-Request-Id': `scene-${key}` },
  });
  if (answer.status > 201) throw new Error(`${command}: ${answer.text}`);
  return answer.json.result;
}

async function anotherMerchant(story: Story, name: string, serial: number): Promise<Json> {
  const body = { name, business_email: `office@${name.split(' ')[0]?.toLowerCase()}.example` };
  const { tenant_id = '', short_code = '' } = await inScene(story, 'RegisterMerchant', name.replace(' ', '-'), body);
  return { tenant_id, short_code, token: verificationTokens(SECRET)(tenant_id, serial) };
}

async function cargoProduct(story: Story): Promise<Json> {
  const { result } = story.answers['admin/RegisterProvider'] as { result: { provider_id: string } };
  return await inScene(story, 'AddProduct', 'cargo', {
    provider_id: result.provider_id,
    name: 'Goods in Transit',
    description: 'Goods on the road, on the water and in the air.',
    product_type: 'Cargo',
    base_premium: '12000.00',
    coverages: [{ coverage_name: 'Loss in transit', coverage_type: 'Damages', coverage_limit: '50000000.00' }],
    rating: { rate: { field: 'shipment_value', percent: '0.35' }, tax_percent: '7.5' },
    inspection_required: true,
  });
}

/** A mail that the server refused for good. */
async function parkedMail(story: Story): Promise<Json> {
  const { result } = story.answers['admin/RegisterMerchant'] as { result: { tenant_id: string } };
  const job_id = '9c1f0d52-7e3a-4c55-8b0e-4f2d1a6b7c80';
  const job = { jobId: job_id, kind: 'onboarding', tenantId: result.tenant_id, serial: 1 };
  const run = async (command: AnyCommand, input: unknown): Promise<void> => {
    const request = {
      input,
      actor: { role: 'system', keyId: null },
      environment: undefined,
      idempotency: undefined,
      ifMatch: undefined,
      requestId: undefined,
      traceparent: undefined,
    } as const;
    const { position } = await executeCommand(command, request, story.service.parts.commandPorts);
    await story.service.projector.waitFor(position, 2000);
  };
  await run(requestMail, job);
  await run(attemptMail, { jobId: job_id });
  const outcome = { status: 'refused', reason: 'recipient_refused', smtpCode: 550, retryAfterMs: null };
  await run(concludeMail, { jobId: job_id, attempt: 1, outcome });
  return { job_id };
}

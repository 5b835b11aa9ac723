import type { DocumentedOperation, ServedMember } from './document-places.ts';

/** A kind of value that the API serves so that clients send it back, and where the reference says that they may. */
export interface ReferenceKind {
  /** Members of response bodies: `name`, or `parent.name` where the name alone has several meanings. */
  readonly served: readonly string[];
  /** The path in front of the parameter, with `{}` for earlier parameters. */
  readonly path?: string;
  /**
   * Whether the path with the value alone is the single view, whose `ETag` the commands on the resource take in
   * `If-Match`.
   */
  readonly hasView?: true;
  /** Query parameter of reads, and member of the bodies of commands. */
  readonly name?: string;
  readonly header?: string;
  /** Set when the value is, or completes, a URL. */
  readonly url?: { readonly prefix: string; readonly method: 'GET' | 'OPTIONS' };
}

const [POLICIES, CLAIMS, PRODUCTS] = ['/api/v1/policies/', '/api/v1/claims/', '/api/v1/products/'];
const LINKS = ['links.policies', 'links.claims', 'links.transactions', 'Problem.type'];
const POLICY = ['policy_id', 'Claim.policy', 'ClaimItem.policy'];
const PROVIDER = ['provider_id', 'Provider.id', 'ProductItem.provider', 'product.provider'];
const PRODUCT = ['product_id', 'Product.id', 'ProductItem.id', 'product.id'];
const ENVIRONMENT = ['environment_id', 'Me.environment.id', 'Me.environments.id'];

export const KINDS: Readonly<Record<string, ReferenceKind>> = {
  policy: { served: POLICY, path: POLICIES, hasView: true, name: 'policy_id' },
  policyNumber: { served: ['policy_number'], path: POLICIES, hasView: true, name: 'policy_number' },
  claim: { served: ['claim_id'], path: CLAIMS, hasView: true, name: 'claim_id' },
  claimReference: { served: ['claim_reference_number'], path: CLAIMS, hasView: true },
  payment: { served: ['payment_id'], name: 'payment_id' },
  document: { served: ['documents.sha256'], path: '/api/v1/claims/{}/documents/' },
  customer: { served: ['customer_id'], path: '/api/v1/customers/', hasView: true, name: 'customer_id' },
  customerReference: { served: ['customer_reference'], name: 'customer_reference' },
  merchant: { served: ['short_code'], path: '/api/v1/merchants/', hasView: true, name: 'short_code' },
  merchantOf: { served: ['merchant_short_code'], path: '/api/v1/merchants/' },
  environment: { served: ENVIRONMENT, path: '/api/v1/environments/', name: 'environment_id' },
  key: { served: ['key_id'], name: 'key_id' },
  secret: { served: ['api_key'], header: 'X-API-Key' },
  person: { served: ['person_id'], name: 'person_id' },
  assignee: { served: ['assignee.id', 'assignee'], name: 'assignee' },
  provider: { served: PROVIDER, name: 'provider_id' },
  product: { served: PRODUCT, path: PRODUCTS, hasView: true, name: 'product_id' },
  quote: { served: ['quote_code'], path: '/api/v1/quotes/', name: 'quote_code' },
  purchase: { served: ['purchase_id'], name: 'purchase_id' },
  mail: { served: ['job_id'], name: 'job_id' },
  parked: { served: ['ParkedDocument.key'], name: 'key' },
  rebuild: { served: ['rebuild_id'], path: '/api/v1/admin/rebuilds/' },
  verification: { served: ['verification_id'], path: '/api/v1/admin/verifications/' },
  position: { served: ['position', 'head', 'up_to'], header: 'Surety-Min-Position' },
  event: { served: ['ListEvents.id'], name: 'lastEventId' },
  request: { served: ['request_id'], header: 'X-Request-Id' },
  recorded: { served: ['recorded_at'], name: 'known_at' },
  effective: { served: ['effective_at'], name: 'as_of' },
  link: { served: LINKS, url: { prefix: '', method: 'GET' } },
  resource: { served: ['resource'], url: { prefix: '/api/v1/', method: 'GET' } },
  command: { served: ['CommandEntry.path'], url: { prefix: '', method: 'OPTIONS' } },
};

/** Members that look like references and go nowhere, by the reason. */
const UNSENT: Readonly<Record<string, string>> = {
  'of the resource that `kind` names, which test/api/find.test.ts reads': 'SearchResult.id SearchResult.number',
  'every page is followed': 'next previous',
  'no operation takes it':
    'event_id events.id command_id transaction_id term_id coverage_id beneficiary_id smtp_code phone_number',
  'for the records of the merchant, the insurer or the bank': 'client_id origin_product_id payments.reference',
  'of the merchant, not of Surety': 'registration_number tax_identification_number',
  'paths have the short code': 'Merchant.id merchant_id tenant_id',
  'always null': 'user',
  'a JSON Pointer, which the tests of histories apply': 'Change.path',
  'explained by the type of the problem': 'code',
  'in the list of parked documents, too': 'parked_documents.key',
  'of a difference, which there is none of here': 'differences.key differences.sha256',
};

/** Members that no response of these tests has, by the reason. */
const RARE: Readonly<Record<string, string>> = {
  'only of the key of an insurer': 'ApiKey.provider_id Me.provider_id',
  'null to merchants': 'assignee.id',
  'only of the key of a person': 'actor.person_id ApiKey.person_id Me.person.person_id',
  'only while read models are being built': 'progress.position progress.head',
  'only of a damaged log, or of parked documents': 'first_faults.position parked_documents.position',
  'only where public events are sent to Kafka': 'relay.position',
  'after the first hundred transactions of the merchant': 'MerchantTransaction.claim_id',
};

const namesIn = (table: Readonly<Record<string, string>>): ReadonlySet<string> =>
  new Set(Object.values(table).flatMap((names) => names.split(' ')));

const [UNSENT_NAMES, RARE_NAMES] = [namesIn(UNSENT), namesIn(RARE)];

const REFERENCE_NAME =
  /^(?:next|previous|after|before|user)$|(?:^|_)(?:ids?|key|code|number|reference|sha256|cursor|token|position)$/;

const KIND_OF_MEMBER = new Map(
  Object.entries(KINDS).flatMap(([kind, { served }]) => served.map((name) => [name, kind])),
);

/** Returns the longest end of a path that is among the names. */
function endOf(names: { has(name: string): boolean }, path: string): string | undefined {
  const parts = path.split('.');
  return parts.map((_, index) => parts.slice(index).join('.')).find((end) => names.has(end));
}

/** Returns the kind of a served member; undefined when it is no reference, or goes nowhere. */
export function kindOf({ path }: Pick<ServedMember, 'path'>): string | undefined {
  return KIND_OF_MEMBER.get(endOf(KIND_OF_MEMBER, path) ?? '');
}

/** Returns whether some response must have the member. */
export function isAlwaysServed({ path }: Pick<ServedMember, 'path'>): boolean {
  return endOf(RARE_NAMES, path) === undefined;
}

/** Returns whether a served member looks like a reference, and no table says what becomes of it. */
export function isUnknown({ path, format }: ServedMember): boolean {
  const looksLikeOne = REFERENCE_NAME.test(path.split('.').at(-1) ?? '') || format === 'uuid' || format === 'uri';
  const isUnsent = endOf(UNSENT_NAMES, path) !== undefined;
  return looksLikeOne && kindOf({ path }) === undefined && !isUnsent;
}

/** Returns the inputs of a read that take a value which the API serves. */
export function referenceInputs({ parameters, query }: DocumentedOperation): readonly string[] {
  const isTaken = (place: 'path' | 'name', value: string) => Object.values(KINDS).some((kind) => kind[place] === value);
  const inPath = parameters.filter(({ before }) => isTaken('path', before)).map(({ name }) => name);
  return [...inPath, ...query.filter((name) => isTaken('name', name))];
}

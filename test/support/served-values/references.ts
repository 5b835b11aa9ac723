import type { DocumentedOperation, ServedMember } from './document-places.ts';

/** A kind of value that the API serves so that clients send it back, and where the reference says that they may. */
export interface ReferenceKind {
  /** Members of response bodies: `name`, or `parent.name` where the name alone has several meanings. */
  readonly served: readonly string[];
  /** The path in front of the parameter, with `{}` for earlier parameters. */
  readonly path?: string;
  /** Whether the path with the value alone is the single view, whose `ETag` the commands on the resource take in `If-Match`. */
  readonly hasView?: true;
  /** Query parameters of reads. */
  readonly query?: readonly string[];
  /** Members of the bodies, and query parameters, of commands. */
  readonly taken?: readonly string[];
  readonly header?: string;
  /** Set when the value is, or completes, a URL. */
  readonly url?: { readonly prefix: string; readonly method: 'GET' | 'OPTIONS' };
}

export const KINDS: Readonly<Record<string, ReferenceKind>> = {
  policy: {
    served: ['policy_id', 'Claim.policy', 'ClaimItem.policy'],
    path: '/api/v1/policies/',
    hasView: true,
    query: ['policy_id'],
    taken: ['policy_id'],
  },
  policyNumber: {
    served: ['policy_number'],
    path: '/api/v1/policies/',
    hasView: true,
    query: ['policy_number'],
    taken: ['policy_number'],
  },
  claim: { served: ['claim_id'], path: '/api/v1/claims/', hasView: true, taken: ['claim_id'] },
  claimReference: { served: ['claim_reference_number'], path: '/api/v1/claims/', hasView: true },
  payment: { served: ['payment_id'], taken: ['payment_id'] },
  document: { served: ['documents.sha256'], path: '/api/v1/claims/{}/documents/' },
  customer: {
    served: ['customer_id'],
    path: '/api/v1/customers/',
    hasView: true,
    query: ['customer_id'],
    taken: ['customer_id'],
  },
  customerReference: {
    served: ['customer_reference'],
    query: ['customer_reference'],
    taken: ['customer_reference'],
  },
  merchant: {
    served: ['short_code', 'merchant_short_code'],
    path: '/api/v1/merchants/',
    hasView: true,
    query: ['short_code'],
    taken: ['short_code'],
  },
  environment: {
    served: ['environment_id', 'Me.environment.id'],
    path: '/api/v1/environments/',
    query: ['environment_id'],
    taken: ['environment_id'],
  },
  key: { served: ['key_id'], taken: ['key_id'] },
  secret: { served: ['api_key'], header: 'X-API-Key' },
  provider: {
    served: ['provider_id', 'Provider.id', 'ProductItem.provider', 'product.provider'],
    query: ['provider_id'],
    taken: ['provider_id'],
  },
  product: {
    served: ['product_id', 'Product.id', 'ProductItem.id', 'product.id'],
    path: '/api/v1/products/',
    hasView: true,
    taken: ['product_id'],
  },
  quote: { served: ['quote_code'], path: '/api/v1/quotes/', taken: ['quote_code'] },
  purchase: { served: ['purchase_id'], taken: ['purchase_id'] },
  mail: { served: ['job_id'], taken: ['job_id'] },
  parked: { served: ['ParkedDocument.key'], taken: ['key'] },
  rebuild: { served: ['rebuild_id'], path: '/api/v1/admin/rebuilds/' },
  verification: { served: ['verification_id'], path: '/api/v1/admin/verifications/' },
  position: { served: ['position', 'head', 'up_to'], header: 'Surety-Min-Position' },
  event: { served: ['ListEvents.id'], query: ['lastEventId'] },
  request: { served: ['request_id'], header: 'X-Request-Id' },
  recorded: { served: ['recorded_at'], query: ['known_at'] },
  effective: { served: ['effective_at'], query: ['as_of'] },
  start: { served: ['renewal_date', 'earliest_start'], taken: ['preferred_policy_start_date'] },
  link: {
    served: ['links.policies', 'links.claims', 'links.transactions', 'Problem.type'],
    url: { prefix: '', method: 'GET' },
  },
  resource: { served: ['resource'], url: { prefix: '/api/v1/', method: 'GET' } },
  command: { served: ['CommandEntry.path'], url: { prefix: '', method: 'OPTIONS' } },
};

/** Members that look like references and go nowhere, each with the reason. */
export const UNSENT: Readonly<Record<string, string>> = {
  'SearchResult.id': 'of the resource that `kind` names, which test/api/find.test.ts reads',
  'SearchResult.number': 'of the resource that `kind` names',
  next: 'every page is followed when it is served',
  previous: 'every page is followed when it is served',
  event_id: 'no operation takes an event id',
  'events.id': 'no operation takes an event id',
  command_id: 'no operation takes a command id',
  transaction_id: 'no operation takes a transaction id',
  term_id: 'no operation takes a term id',
  coverage_id: 'no operation takes a coverage id',
  beneficiary_id: 'no operation takes a beneficiary id',
  client_id: 'for the records of the merchant',
  origin_product_id: 'for the records of the insurer',
  'payments.reference': 'of the bank',
  'Merchant.id': 'paths have the short code',
  merchant_id: 'paths have the short code',
  tenant_id: 'paths have the short code',
  user: 'always null',
  'Change.path': 'a JSON Pointer, which the tests of histories apply',
  code: 'explained by the type of the problem',
  smtp_code: 'no identifier',
  phone_number: 'no identifier',
  registration_number: 'of the merchant, not of Surety',
  tax_identification_number: 'of the merchant, not of Surety',
  'parked_documents.key': 'in the list of parked documents, too',
  'differences.key': 'of a difference, which there is none of here',
  'differences.sha256': 'of a difference, which there is none of here',
};

/** Members that no response may have, each with the reason. */
export const RARELY_SERVED: Readonly<Record<string, string>> = {
  'progress.position': 'only while read models are being built',
  'progress.head': 'only while read models are being built',
  'first_faults.position': 'only of a damaged log',
  'parked_documents.position': 'only of parked documents',
  'relay.position': 'only where public events are sent to Kafka',
};

/** Inputs that look like references and take none that was served, each with the reason. */
export const NEW_VALUES: Readonly<Record<string, string>> = {
  registration_number: 'of the merchant, not of Surety',
  tax_identification_number: 'of the merchant, not of Surety',
  token: 'from the mail',
  'VerificationPage.short_code': 'from the mail',
  'VerifyOnPage.short_code': 'from the mail',
  after: 'in the links of pages, which are followed when they are served',
  before: 'in the links of pages, which are followed when they are served',
  'AdminPayClaim.reference': 'of the bank',
  'AdminImportPolicyTerm.policy_number': 'of the imported book',
  'AdminImportClaim.policy_number': 'of the imported book',
  'AdminImportClaim.claim_reference_number': 'of the imported book',
  'AdminImportPolicyTerm.customer_reference': 'of the imported book',
};

const REFERENCE_NAME =
  /^(?:next|previous|after|before|user)$|(?:^|_)(?:ids?|key|code|number|reference|sha256|cursor|token|position)$/;

/** Returns the entry of a table for a path: for all of it, or for the longest end of it that the table has. */
function entryFor<Value>(table: ReadonlyMap<string, Value>, path: string): Value | undefined {
  const names = path.split('.');
  const ends = names.map((_, index) => names.slice(index).join('.'));
  const found = ends.find((end) => table.has(end));
  return found === undefined ? undefined : table.get(found);
}

const KIND_OF_MEMBER = new Map(
  Object.entries(KINDS).flatMap(([kind, { served }]) => served.map((name) => [name, kind])),
);
const UNSENT_MEMBERS = new Map(Object.entries(UNSENT));
const RARE_MEMBERS = new Map(Object.entries(RARELY_SERVED));
const NEW_INPUTS = new Map(Object.entries(NEW_VALUES));

/** Returns the kind of a served member; undefined when it is no reference, or goes nowhere. */
export function kindOf({ path }: Pick<ServedMember, 'path'>): string | undefined {
  return entryFor(KIND_OF_MEMBER, path);
}

/** Returns whether some response must have the member. */
export function isAlwaysServed({ path }: Pick<ServedMember, 'path'>): boolean {
  return entryFor(RARE_MEMBERS, path) === undefined;
}

/** Returns whether a served member looks like a reference, and no table says what becomes of it. */
export function isUnknownMember({ path, format }: ServedMember): boolean {
  const looksLikeOne = REFERENCE_NAME.test(path.split('.').at(-1) ?? '') || format === 'uuid' || format === 'uri';
  return looksLikeOne && kindOf({ path }) === undefined && entryFor(UNSENT_MEMBERS, path) === undefined;
}

/** An input of an operation that may be a reference, with the kinds of values that go there. */
export interface ReferenceInput {
  readonly name: string;
  readonly kinds: readonly string[];
  /** It looks like a reference, and no table says what goes there. */
  readonly isUnknown: boolean;
}

/** Returns the inputs of an operation: parameters, and members of the body. */
export function inputsOf({ id, parameters, query, body, isCommand }: DocumentedOperation): readonly ReferenceInput[] {
  const input = (name: string, looksLikeOne: boolean, fits: (kind: ReferenceKind) => boolean): ReferenceInput => {
    const takesNew = entryFor(NEW_INPUTS, `${id}.${name}`) !== undefined;
    const kinds = takesNew ? [] : Object.entries(KINDS).flatMap(([kind, one]) => (fits(one) ? [kind] : []));
    return { name, kinds, isUnknown: looksLikeOne && kinds.length === 0 && !takesNew };
  };
  return [
    ...parameters.map(({ name, before }) => input(name, true, ({ path }) => path === before)),
    ...[...query, ...body].map((name) =>
      input(name, REFERENCE_NAME.test(name), (kind) => (isCommand ? kind.taken : kind.query)?.includes(name) === true),
    ),
  ];
}

import { z } from 'zod';
import { eventEntries } from '#projections/event-entries/event-entries.ts';
import type { ClaimDocument } from '#projections/claims/claims.ts';
import type { CustomerDocument } from '#projections/customers/customers.ts';
import type { MerchantDocument } from '#projections/merchants/merchants.ts';
import { ownedValue, ownerOf } from '#projections/owner.ts';
import type { PolicyDocument } from '#projections/policies/policies.ts';
import { wrongField } from '#domain/refusals.ts';
import { emailAddress } from '#domain/values/email.ts';
import { categoryOf, idOf } from '#event-sourcing/aggregate.ts';
import { normalise, uuid } from '#event-sourcing/identifiers.ts';
import type { FindQuery, StoredDocument } from '#stores/read-models/read-models.ts';
import { defineQuery, type QueryContext } from './query.ts';
import { getOwnMerchantDocument, MERCHANT_ERRORS, ownerOfReader, parseBody } from './resources.ts';

const MAX_RESULTS = 20;

const searchResultSchema = z
  .strictObject({
    kind: z.enum(['policy', 'claim', 'customer', 'merchant']),
    id: z.string().meta({ description: 'What the path of the resource takes: its id; of a merchant the short code' }),
    number: z.string().nullable().meta({
      description:
        'Policy number, claim reference, reference of the customer (null without one) or short code of the merchant',
    }),
    merchant_short_code: z.string(),
    environment_id: z.int().nullable().meta({ description: 'Null for a merchant' }),
    test_mode: z.boolean().nullable().meta({ description: 'Null for a merchant' }),
  })
  .meta({ id: 'SearchResult' });
type SearchResult = z.infer<typeof searchResultSchema>;

/** The collections of what is found, each with its resource and the category of its streams. */
const COLLECTIONS = {
  policies: {
    category: 'policy',
    toResult: (document: unknown): SearchResult => {
      const { policy_id: id, policy_number: number, ...view } = (document as PolicyDocument).view;
      return { kind: 'policy', id, number, ...ownerFields(view) };
    },
  },
  claims: {
    category: 'claim',
    toResult: (document: unknown): SearchResult => {
      const { claim } = document as ClaimDocument;
      const { claimId: id, reference: number, merchantShortCode, environmentId, testMode } = claim;
      const owner = { merchant_short_code: merchantShortCode, environment_id: environmentId, test_mode: testMode };
      return { kind: 'claim', id, number, ...owner };
    },
  },
  customers: {
    category: 'customer',
    toResult: (document: unknown): SearchResult => {
      const { customer_id: id, customer_reference: number, ...customer } = document as CustomerDocument;
      return { kind: 'customer', id, number, ...ownerFields(customer) };
    },
  },
  merchants: {
    category: 'merchant',
    toResult: (document: unknown): SearchResult => {
      const { short_code: code } = document as MerchantDocument;
      return {
        kind: 'merchant',
        id: code,
        number: code,
        merchant_short_code: code,
        environment_id: null,
        test_mode: null,
      };
    },
  },
} as const;
type Collection = keyof typeof COLLECTIONS;

function ownerFields({
  merchant_short_code,
  environment_id,
  test_mode,
}: Pick<CustomerDocument, 'merchant_short_code' | 'environment_id' | 'test_mode'>) {
  return { merchant_short_code, environment_id, test_mode };
}

/** What is searched: one merchant, and its modes by the index `owner`. */
interface Scope {
  readonly merchantId: string;
  readonly owners: readonly string[];
}

export const find = defineQuery({
  name: 'Find',
  summary: 'Finds policies, claims, customers and merchants by a number, a reference, an e-mail address or an id.',
  description: `At most 20 of what the key may read that has exactly this text, in any case: policies by number or id, claims by reference or id, customers by reference, e-mail address or id, merchants by short code, and what an event concerns by the id of the event. A merchant key finds only its own merchant in its own mode; platform keys find live and test data. Nothing found is an empty array.

It is a POST so that the text is in no URL. It reads only and ignores an \`Idempotency-Key\`. With \`short_code\` only that merchant is searched. References and e-mail addresses of customers are searched within one merchant: a platform key without \`short_code\` gets 400 that names it for a text with \`@\`, and for a text that is no id where nothing else has it.`,
  errors: MERCHANT_ERRORS,
  example: { search: { text: 'LAG-FXYSYCAQGH', short_code: 'ACM-20E3' } },
  search: z.strictObject({
    text: z
      .string()
      .trim()
      .min(1, 'must not be blank')
      .max(255, 'must have at most 255 characters')
      .meta({ description: 'A whole number, reference, e-mail address, short code or id, in any case' }),
    short_code: z.string().optional().meta({
      description:
        'Only what belongs to this merchant; platform keys need it for the reference and the e-mail address of a customer',
    }),
  }),
  response: z.array(searchResultSchema).max(MAX_RESULTS),
  async respond({ search: { text, short_code } }, context) {
    const scope = await scopeOf(context, short_code);
    if (scope === undefined && text.includes('@')) throw shortCodeNeeded();
    const isId = uuid.safeParse(text).success;
    const found = [
      ...(isId ? await findById(context, text.toLowerCase(), scope) : []),
      ...(await findByText(context, normalise(text), scope)),
    ];
    // An empty list would hide that customers were not searched by reference.
    if (scope === undefined && !isId && found.length === 0) throw shortCodeNeeded();
    const unique = new Map(found.map((one) => [`${one.kind} ${one.id}`, one]));
    const body = JSON.stringify([...unique.values()].slice(0, MAX_RESULTS));
    return { kind: 'resource', body, etag: undefined };
  },
});

function shortCodeNeeded(): Error {
  return wrongField(
    'short_code',
    'must be given: a platform key finds a customer by reference or e-mail within a merchant alone',
  );
}

/** Returns the merchant to search; undefined: all. @throws {Refusal} also for another merchant */
async function scopeOf(context: QueryContext, shortCode: string | undefined): Promise<Scope | undefined> {
  const { reader } = context;
  const merchant = shortCode === undefined ? undefined : await getOwnMerchantDocument(context, shortCode);
  if (reader.role === 'merchant') return { merchantId: reader.merchantId, owners: [ownerOfReader(reader)] };
  if (merchant === undefined) return undefined;
  const owners = [false, true].map((test_mode) => ownerOf({ merchant_id: merchant.key, test_mode }));
  return { merchantId: merchant.key, owners };
}

/** Finds resources by id, or by the id of one of their events. */
async function findById(
  { readModels }: QueryContext,
  id: string,
  scope: Scope | undefined,
): Promise<readonly SearchResult[]> {
  const entry = await readModels.get(eventEntries.name, id);
  const eventCollections = (Object.keys(COLLECTIONS) as Collection[]).filter(
    (collection) => entry !== undefined && COLLECTIONS[collection].category === categoryOf(entry.stream),
  );
  const keys: readonly (readonly [Collection, string])[] = [
    ['policies', id],
    ['claims', id],
    ['customers', id],
    ...eventCollections.map((collection) => [collection, idOf(entry?.stream ?? '')] as const),
  ];
  const found = await Promise.all(
    keys.map(async ([collection, key]) => toResult(collection, await readModels.get(collection, key), scope)),
  );
  return found.flat();
}

/** Finds what has a number, a reference, an e-mail address or a short code. @param text normalised */
async function findByText(
  { readModels }: QueryContext,
  text: string,
  scope: Scope | undefined,
): Promise<readonly SearchResult[]> {
  const ownerFilter = scope === undefined ? {} : { owner: scope.owners };
  const email = emailAddress.safeParse(text);
  const values = { owner_reference: text, owner_email: email.success ? normalise(email.data) : text };
  const searches: readonly (readonly [Collection, FindQuery['where']])[] = [
    ['policies', { number: text, ...ownerFilter }],
    ['claims', { reference: text, ...ownerFilter }],
    ...(scope === undefined
      ? []
      : Object.entries(values).map(
          ([index, value]) =>
            ['customers', { [index]: scope.owners.map((owner) => ownedValue(owner, value)) }] as const,
        )),
    ['merchants', { short_code: text }],
  ];
  const found = await Promise.all(
    searches.map(async ([collection, where = {}]) => {
      const query = { where, skipCount: true, limit: MAX_RESULTS, offset: 0 };
      const { documents } = await readModels.find(collection, query);
      return documents.flatMap((stored) => toResult(collection, stored, scope));
    }),
  );
  return found.flat();
}

/** Returns what a document shows; nothing for one that is not in the scope or cannot be read. */
function toResult(
  collection: Collection,
  stored: StoredDocument | undefined,
  scope: Scope | undefined,
): readonly SearchResult[] {
  if (stored?.body === undefined || !isInScope(collection, stored, scope)) return [];
  return [COLLECTIONS[collection].toResult(parseBody(stored))];
}

function isInScope(collection: Collection, { key, indexes }: StoredDocument, scope: Scope | undefined): boolean {
  if (scope === undefined) return true;
  return collection === 'merchants' ? key === scope.merchantId : scope.owners.includes(String(indexes['owner']));
}

import { z } from 'zod';
import type { ClaimDocument } from '#projections/claims/claims.ts';
import type { CustomerDocument } from '#projections/customers/customers.ts';
import type { MerchantDocument } from '#projections/merchants/merchants.ts';
import { ownerOf } from '#projections/owner.ts';
import { type PolicyDocument, viewAt } from '#projections/policies/policies.ts';
import type { ProductDocument } from '#projections/products/products.ts';
import type { ProviderDocument } from '#projections/providers/providers.ts';
import type { SearchFields } from '#projections/search-terms/search-text.ts';
import { statusOf } from '#domain/claim/stages.ts';
import { type Mode, modeOf, type Visibility } from '#domain/values/mode.ts';
import { categoryOf, idOf } from '#event-sourcing/aggregate.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { isInVisibleScope } from '../lists.ts';
import { isProviderVisibleTo } from '../products.ts';
import type { QueryContext, Reader } from '../query.ts';
import { isVisibleTo, parseBody, readBodies } from '../resources.ts';

const merchantOnly = 'null for an insurer and a product';

export const searchResultSchema = z
  .strictObject({
    kind: z.enum(['policy', 'claim', 'customer', 'merchant', 'insurer', 'product']),
    id: z.string().meta({ description: 'What the path of the resource takes: its id; of a merchant the short code' }),
    number: z.string().nullable().meta({
      description:
        'Policy number, claim reference, reference of the customer (null without one) or short code of the merchant; null for an insurer and a product',
    }),
    title: z.string().meta({ description: 'Name, or number of a policy or claim' }),
    subtitle: z
      .string()
      .nullable()
      .meta({ description: 'What distinguishes it from others of this title, parts with ` · ` between them' }),
    merchant_short_code: z.string().nullable().meta({ description: merchantOnly }),
    environment_id: z.int().nullable().meta({ description: 'Null for a merchant, an insurer and a product' }),
    test_mode: z.boolean().nullable().meta({ description: 'Null for what belongs to both modes' }),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof searchResultSchema>;

/** What is searched. */
export interface FindScope {
  readonly reader: Reader;
  readonly testMode: boolean;
  /** Tenant id of the merchant to which the request limits the search. */
  readonly merchantId: string | undefined;
}

/** What a resource looks like when it is found. */
interface Found {
  readonly fields: SearchFields;
  readonly mode: Visibility;
  readonly result: Omit<SearchResult, 'test_mode'>;
}

interface FoundContext {
  readonly now: Instant;
  /** The insurers of the products that are found. */
  readonly providers: ReadonlyMap<string, ProviderDocument>;
}

interface Kind {
  readonly collection: string;
  /** Whether the reader may know of the resource, in one of its modes. */
  isVisible(stored: StoredDocument, scope: FindScope, context: FoundContext): boolean;
  foundOf(document: unknown, context: FoundContext): Found;
}

const ownedByMerchant = { isVisible: isVisibleResource };
const OF_NO_MERCHANT = { number: null, merchant_short_code: null, environment_id: null };

/** What is found, by the category of its stream. */
const KINDS: Readonly<Record<string, Kind>> = {
  policy: {
    collection: 'policies',
    ...ownedByMerchant,
    foundOf(document, { now }) {
      const view = viewAt(document as PolicyDocument, now);
      const { policy_id: id, policy_number: number, policy_holder: holder, product, status } = view;
      const subtitle = joined(holder.customer_name, product.name, status);
      return {
        fields: { numbers: [number] },
        mode: modeOf(view.test_mode),
        result: { kind: 'policy', id, number, title: number, subtitle, ...ownerFields(view) },
      };
    },
  },
  claim: {
    collection: 'claims',
    ...ownedByMerchant,
    foundOf(document) {
      const { claim } = document as ClaimDocument;
      const { claimId: id, reference: number, merchantShortCode, environmentId: environment_id } = claim;
      const subtitle = joined(claim.claimant.name, claim.policyNumber, statusOf(claim.stage));
      const owner = { merchant_short_code: merchantShortCode, environment_id };
      return {
        fields: { numbers: [number] },
        mode: modeOf(claim.testMode),
        result: { kind: 'claim', id, number, title: number, subtitle, ...owner },
      };
    },
  },
  customer: {
    collection: 'customers',
    ...ownedByMerchant,
    foundOf(document) {
      const customer = document as CustomerDocument;
      const { customer_id: id, customer_reference: number, full_name: title, customer_email: email } = customer;
      const { customer_phone: phone } = customer;
      return {
        fields: { name: title, email, phone, codes: [number] },
        mode: modeOf(customer.test_mode),
        result: { kind: 'customer', id, number, title, subtitle: joined(email, phone), ...ownerFields(customer) },
      };
    },
  },
  merchant: {
    collection: 'merchants',
    isVisible: ({ key }, { reader, merchantId = key }) =>
      key === merchantId && (reader.role === 'merchant' ? key === reader.merchantId : reader.role !== 'insurer'),
    foundOf(document) {
      const { short_code: code, name: title } = document as MerchantDocument;
      const owner = { merchant_short_code: code, environment_id: null };
      return {
        fields: { name: title, codes: [code] },
        mode: 'both',
        result: { kind: 'merchant', id: code, number: code, title, subtitle: code, ...owner },
      };
    },
  },
  provider: {
    collection: 'providers',
    isVisible: isVisibleOffer,
    foundOf(document) {
      const { id, name: title, visibility: mode, withdrawn_at: withdrawn } = document as ProviderDocument;
      const subtitle = withdrawn === null ? null : 'withdrawn';
      return { fields: { name: title }, mode, result: { kind: 'insurer', id, title, subtitle, ...OF_NO_MERCHANT } };
    },
  },
  product: {
    collection: 'products',
    isVisible: (stored, scope, { providers }) =>
      isVisibleOffer(stored, scope) &&
      isProviderVisibleTo(scope.reader, providers.get(String(stored.indexes['provider']))),
    foundOf(document, { providers }) {
      const { id, name: title, visibility: mode, ...product } = document as ProductDocument;
      const insurer = providers.get(product.provider_id)?.name ?? null;
      const subtitle = joined(insurer, product.product_type, product.is_trashed ? 'withdrawn' : null);
      return { fields: { name: title }, mode, result: { kind: 'product', id, title, subtitle, ...OF_NO_MERCHANT } };
    },
  },
};

function isVisibleResource(stored: StoredDocument, { reader, merchantId, testMode }: FindScope): boolean {
  if (!isVisibleTo(reader, stored)) return false;
  return (
    merchantId === undefined || stored.indexes['owner'] === ownerOf({ merchant_id: merchantId, test_mode: testMode })
  );
}

/** An insurer or product belongs to no merchant to which a search is limited. */
function isVisibleOffer(stored: StoredDocument, { reader, merchantId }: FindScope): boolean {
  return merchantId === undefined && isInVisibleScope(reader, stored);
}

function ownerFields({
  merchant_short_code,
  environment_id,
}: Pick<CustomerDocument, 'merchant_short_code' | 'environment_id'>) {
  return { merchant_short_code, environment_id };
}

function joined(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}

/**
 * Returns what the reader may know of the resources of these streams, in their order, where `isFound` accepts the
 * fields that they have now. What cannot be read is left out.
 */
export async function readResults(
  context: QueryContext,
  scope: FindScope,
  streams: readonly string[],
  isFound: (fields: SearchFields) => boolean,
): Promise<readonly SearchResult[]> {
  const stored = new Map<string, StoredDocument>();
  for (const [category, { collection }] of Object.entries(KINDS)) {
    const keys = streams.filter((stream) => categoryOf(stream) === category).map(idOf);
    if (keys.length === 0) continue;
    for (const one of await context.readModels.getMany(collection, keys)) stored.set(`${category}-${one.key}`, one);
  }
  const insurers = [...stored.values()]
    .map(({ indexes }) => indexes['provider'])
    .filter((id) => typeof id === 'string');
  const providers = await readBodies<ProviderDocument>(context, 'providers', insurers);
  const foundContext = { now: context.now, providers };
  const mode: Mode = modeOf(scope.testMode);
  return streams.flatMap((stream) => {
    const [kind, document] = [KINDS[categoryOf(stream)], stored.get(stream)];
    if (kind === undefined || document?.body === undefined || !kind.isVisible(document, scope, foundContext)) return [];
    const found = kind.foundOf(parseBody(document), foundContext);
    if ((found.mode !== 'both' && found.mode !== mode) || !isFound(found.fields)) return [];
    return [{ ...found.result, test_mode: found.mode === 'both' ? null : scope.testMode }];
  });
}

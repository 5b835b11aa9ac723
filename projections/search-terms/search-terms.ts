import { typeOf } from '#domain/events.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import type { CustomerEvent } from '#domain/customer/customer.ts';
import type { MerchantEvent } from '#domain/merchant/merchant.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { ProductEvent } from '#domain/product/product.ts';
import type { ProviderEvent } from '#domain/provider/provider.ts';
import type { IndexValues, RowProjection } from '../projection.ts';
import { type SearchFields, termsOf } from './search-text.ts';

type SourceEvent = ClaimEvent | CustomerEvent | MerchantEvent | PolicyEvent | ProductEvent | ProviderEvent;
type DataOf<Type extends SourceEvent['type']> = Extract<SourceEvent, { readonly type: Type }>['data'];

const policyFields = ({ policyNumber }: DataOf<'PolicyPurchased' | 'PolicyImported'>): SearchFields => ({
  numbers: [policyNumber],
});
const claimFields = ({ reference }: DataOf<'ClaimSubmitted' | 'ClaimImported'>): SearchFields => ({
  numbers: [reference],
});
const customerFields = (
  details: DataOf<'CustomerRegistered'> | DataOf<'CustomerUpdated'>['changes'],
): SearchFields => ({
  name: details.fullName,
  email: details.email,
  phone: details.phone,
  codes: [details.reference],
});
const nameField = ({ name }: { readonly name?: string | undefined }): SearchFields => ({ name });

/** The events that bring what something is found by. A renewal brings nothing, so it costs nothing here. */
const FIELDS = {
  PolicyPurchased: policyFields,
  PolicyImported: policyFields,
  ClaimSubmitted: claimFields,
  ClaimImported: claimFields,
  CustomerRegistered: customerFields,
  CustomerUpdated: ({ changes }) => customerFields(changes),
  MerchantRegistered: ({ name, shortCode }) => ({ name, codes: [shortCode] }),
  MerchantUpdated: ({ changes }) => nameField(changes),
  ProviderRegistered: nameField,
  ProviderUpdated: ({ changes }) => nameField(changes),
  ProductAdded: nameField,
  ProductUpdated: ({ changes }) => nameField(changes),
} as const satisfies { readonly [Type in SourceEvent['type']]?: (data: DataOf<Type>) => SearchFields };

const FIELDS_OF: ReadonlyMap<string, (data: never) => SearchFields> = new Map(Object.entries(FIELDS));

/**
 * The first digits of an id are enough in an index: what is found is compared with its document, which also says who
 * may read it.
 */
const ID_DIGITS = 8;

/** Returns the value of the index `owner`, or `insurer`, for a term of what belongs to a merchant, or an insurer. */
export function ownTerm(id: string, testMode: boolean, term: string): string {
  return `${id.slice(0, ID_DIGITS)}${modeLetter(testMode)}${term}`;
}

/** Returns the value of the index `all` for a term of what belongs to any merchant. */
export function platformTerm(testMode: boolean, term: string): string {
  return `${modeLetter(testMode)}${term}`;
}

/** Returns the value of the index `all` for a term of what belongs to no environment: merchants, insurers, products. */
export function sharedTerm(term: string): string {
  return `s${term}`;
}

function modeLetter(testMode: boolean): 't' | 'l' {
  return testMode ? 't' : 'l';
}

/**
 * The terms by which policies, claims, customers, merchants, insurers and products are found: rows with the stream of
 * their event. A row says what something was called once; its document says whether it is so still, and who may read
 * it.
 */
export const searchTerms: RowProjection = {
  name: 'search_terms',
  version: 1,
  categories: ['policy', 'claim', 'customer', 'merchant', 'provider', 'product'],
  indexNames: ['owner', 'insurer', 'all'],
  rows: (address, decode) => {
    const fieldsOf = FIELDS_OF.get(typeOf(address) ?? '');
    if (fieldsOf === undefined) return [];
    const { data } = decode() as SourceEvent;
    return termsOf(fieldsOf(data as never)).map((term, index) => ({
      // The shortest key that is the same in every build of the log.
      key: `${address.position}/${index}`,
      document: {},
      indexes: indexesOf(data, term),
    }));
  },
};

function indexesOf(data: SourceEvent['data'], term: string): IndexValues {
  if (!('testMode' in data)) return { owner: null, insurer: null, all: sharedTerm(term) };
  const { merchantId, testMode } = data;
  const insurer = 'provider' in data ? data.provider.id : 'insurer' in data ? data.insurer.id : undefined;
  return {
    owner: ownTerm(merchantId, testMode, term),
    insurer: insurer === undefined ? null : ownTerm(insurer, testMode, term),
    all: platformTerm(testMode, term),
  };
}

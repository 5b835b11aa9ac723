import type { CustomerDocument } from '#projections/customers/customers.ts';
import { ownedValue } from '#projections/owner.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import type { QueryContext } from './query.ts';
import { parseBody } from './resources.ts';

type ReadContext = Pick<QueryContext, 'readModels'>;

/** Returns the id of the customer of a policy. */
export function customerOf({ indexes }: Pick<StoredDocument, 'indexes'>): string {
  return String(indexes['customer']);
}

/** Returns the references that customers have now, by the ids of the customers. */
export async function referencesOf(
  { readModels }: ReadContext,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const stored = await readModels.getMany('customers', [...new Set(customerIds)]);
  const readable = stored.filter(({ body }) => body !== undefined);
  return new Map(readable.map((one) => [one.key, referenceIn(one)]));
}

/** Returns the reference that a customer has now. */
export async function referenceOf({ readModels }: ReadContext, customerId: string): Promise<string | null> {
  const stored = await readModels.get('customers', customerId);
  return stored?.body === undefined ? null : referenceIn(stored);
}

/** By document: a store may return the same one until it changes. */
const references = new WeakMap<StoredDocument, string | null>();

function referenceIn(stored: StoredDocument): string | null {
  const known = references.get(stored);
  if (known !== undefined) return known;
  const { customer_reference: reference } = parseBody(stored) as CustomerDocument;
  references.set(stored, reference);
  return reference;
}

/**
 * Returns the JSON text of the resource of a policy: its view with the reference, without parsing it, because single
 * reads are hot.
 */
export function withReference(view: string, reference: string | null): string {
  return `${view.slice(0, -1)},"customer_reference":${JSON.stringify(reference)}}`;
}

/** Returns the id of the customer of an owner that has a reference. @param reference normalised */
export async function customerWithReference(
  { readModels }: ReadContext,
  owner: string,
  reference: string,
): Promise<string | undefined> {
  const query = { where: { owner_reference: ownedValue(owner, reference) }, skipCount: true, limit: 1, offset: 0 };
  return (await readModels.find('customers', query)).documents[0]?.key;
}

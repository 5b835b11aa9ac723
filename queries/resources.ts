import { normalise } from '../src/event-sourcing/identifiers.ts';
import { Refusal } from '../src/domain/refusals.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import type { QueryContext } from './query.ts';
import { isVisibleTo, ownerOfReader, requireVisible } from './stored-documents.ts';

/** Returns a policy by its id. @throws {Refusal} `policy_not_found` when there is none that the reader may see */
export async function getPolicyDocument(context: QueryContext, id: string): Promise<StoredDocument> {
  const stored = await context.readModels.get('policies', id.toLowerCase());
  return requireVisible(stored, 'policy_not_found', (document) => isVisibleTo(context.reader, document));
}

/** Returns a customer by its id. @throws {Refusal} `customer_not_found` when there is none that the reader may see */
export async function getCustomerDocument(context: QueryContext, id: string): Promise<StoredDocument> {
  const stored = await context.readModels.get('customers', id.toLowerCase());
  return requireVisible(stored, 'customer_not_found', (document) => isVisibleTo(context.reader, document));
}

/** Returns a merchant by its short code; every reader may know of every merchant. @throws {Refusal} `merchant_not_found` */
export async function getMerchantDocument(context: QueryContext, shortCode: string): Promise<StoredDocument> {
  const where = { short_code: normalise(shortCode) };
  const { documents } = await context.readModels.find('merchants', { where, limit: 1, offset: 0 });
  return requireVisible(documents[0], 'merchant_not_found', () => true);
}

/**
 * Returns a claim by its id or its reference number.
 * @param environment only claims of this environment; undefined: of any
 * @throws {Refusal} `claim_not_found` when there is none that the reader may see; `reference_ambiguous`
 */
export async function getClaimDocument(
  context: QueryContext,
  idOrReference: string,
  environment: number | undefined,
): Promise<StoredDocument> {
  const isVisible = (document: StoredDocument): boolean =>
    isVisibleTo(context.reader, document) &&
    (environment === undefined || document.indexes['environment'] === environment);
  const byId = await context.readModels.get('claims', idOrReference.toLowerCase());
  if (byId !== undefined && isVisible(byId)) return byId;
  return requireVisible(await findClaimByReference(idOrReference, environment, context), 'claim_not_found', isVisible);
}

/** @throws {Refusal} `reference_ambiguous` when several visible claims have the reference */
async function findClaimByReference(
  reference: string,
  environment: number | undefined,
  { reader, readModels }: QueryContext,
): Promise<StoredDocument | undefined> {
  const where = {
    reference: normalise(reference),
    ...(reader.role === 'merchant' ? { owner: ownerOfReader(reader) } : {}),
    ...(environment === undefined ? {} : { environment }),
  };
  const { count, documents } = await readModels.find('claims', { where, limit: 2, offset: 0 });
  if (count > 1) throw new Refusal('reference_ambiguous', 'Several merchants use this reference; add ?environment_id=');
  return documents[0];
}

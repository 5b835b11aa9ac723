import { normalised } from '../src/event-sourcing/identifiers.ts';
import { Refusal } from '../src/domain/refusals.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import type { QueryContext } from './query.ts';
import { owns, visible } from './reading.ts';

/** How single views, their histories and their past find what a path names. */

/** @throws {Refusal} `policy_not_found` when there is none for this reader */
export async function policyNamed(context: QueryContext, id: string): Promise<StoredDocument> {
  const stored = await context.readModels.get('policies', id.toLowerCase());
  return visible(stored, 'policy_not_found', (document) => owns(context.reader, document));
}

/** @throws {Refusal} `customer_not_found` when there is none for this reader */
export async function customerNamed(context: QueryContext, id: string): Promise<StoredDocument> {
  const stored = await context.readModels.get('customers', id.toLowerCase());
  return visible(stored, 'customer_not_found', (document) => owns(context.reader, document));
}

/** By its short code; every reader may know of every merchant. @throws {Refusal} `merchant_not_found` */
export async function merchantNamed(context: QueryContext, shortCode: string): Promise<StoredDocument> {
  const where = { short_code: normalised(shortCode) };
  const { documents } = await context.readModels.find('merchants', { where, limit: 1, offset: 0 });
  return visible(documents[0], 'merchant_not_found', () => true);
}

/**
 * By its id or its reference number; of one environment, where that is told.
 * @throws {Refusal} `claim_not_found` when there is none for this reader; `reference_ambiguous`
 */
export async function claimNamed(
  context: QueryContext,
  idOrReference: string,
  environment: number | undefined,
): Promise<StoredDocument> {
  const maySee = (document: StoredDocument): boolean =>
    owns(context.reader, document) && (environment === undefined || document.indexes['environment'] === environment);
  const byId = await context.readModels.get('claims', idOrReference.toLowerCase());
  if (byId !== undefined && maySee(byId)) return byId;
  return visible(await byReference(idOrReference, environment, context), 'claim_not_found', maySee);
}

/** @throws {Refusal} `reference_ambiguous` when several of what the reader may see are called so */
async function byReference(
  reference: string,
  environment: number | undefined,
  { reader, readModels }: QueryContext,
): Promise<StoredDocument | undefined> {
  const where = {
    reference: normalised(reference),
    ...(reader.role === 'merchant' ? { merchant: reader.merchantId, test_mode: reader.testMode } : {}),
    ...(environment === undefined ? {} : { environment }),
  };
  const { count, documents } = await readModels.find('claims', { where, limit: 2, offset: 0 });
  if (count > 1) throw new Refusal('reference_ambiguous', 'Several merchants use this reference; add ?environment_id=');
  return documents[0];
}

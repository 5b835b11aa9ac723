import { setImmediate } from 'node:timers/promises';
import { PROJECTIONS } from '../../projections/registry.ts';
import type { ReadModelsVerification } from '../projector/verification.ts';
import { type Verification, type VerifyOptions, verifyReadModels } from '../projector/verify.ts';
import { verifyContents } from '../projector/verify-contents.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import { openTemporaryReadModels } from '../read-models/sqlite/sqlite-read-models.ts';
import type { Records } from '../records/records.ts';

export interface StoresToVerify extends Omit<VerifyOptions, 'scratch' | 'projections' | 'readModels'> {
  readonly readModels: Pick<ReadModels, 'checkpoint' | 'scan'>;
  readonly records: Pick<Records, 'getBlobRow'>;
  /** Lets other work run before each row of a content. Default: a turn of the event loop. */
  readonly nextTurn?: () => Promise<void>;
}

/** Verifies all documents of the read models, and the contents of claim documents. @throws {StoreUnavailable} */
export async function verifyStores(stores: StoresToVerify): Promise<ReadModelsVerification> {
  const { readModels, records, nextTurn = setImmediate } = stores;
  const documents = await verifyDocuments({ ...stores, projections: PROJECTIONS });
  return { documents, contents: await verifyContents(readModels, { records, nextTurn }) };
}

/** Verifies the read models with a temporary file as scratch store. @throws {StoreUnavailable} */
export async function verifyDocuments(options: Omit<VerifyOptions, 'scratch'>): Promise<Verification> {
  const scratch = openTemporaryReadModels();
  try {
    return await verifyReadModels({ ...options, scratch });
  } finally {
    await scratch.close();
  }
}

import { type Verification, type VerifyOptions, verifyReadModels } from '../projector/verify.ts';
import { openTemporaryReadModels } from '../read-models/sqlite/sqlite-read-models.ts';

/** Verifies the read models with a temporary file as scratch store. @throws {StoreUnavailable} */
export async function verifyDocuments(options: Omit<VerifyOptions, 'scratch'>): Promise<Verification> {
  const scratch = openTemporaryReadModels();
  try {
    return await verifyReadModels({ ...options, scratch });
  } finally {
    await scratch.close();
  }
}

import { z } from 'zod';
import type { ClaimDocument } from '../projections/claims/claims.ts';
import { claimStream } from '../src/domain/claim.ts';
import { normalised } from '../src/domain/identifiers.ts';
import { Refusal, REFUSALS } from '../src/domain/refusals.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { withDocuments } from './claim-documents.ts';
import { defineQuery, type QueryContext } from './query.ts';
import { contentOf, etagOf, owns, shown } from './reading.ts';
import { claimShape } from './shapes.ts';

const environmentId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be the number of an environment')
  .transform(Number)
  .meta({ description: 'Finds only what belongs to this environment: tells apart what several merchants call alike' });

export const getClaim = defineQuery({
  name: 'GetClaim',
  summary: 'Reads one claim by its id or its reference number, with its documents.',
  path: '/api/v1/claims/:id',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ id: z.string().meta({ description: 'The claim id, or the reference number' }) }),
  search: z.strictObject({ environment_id: environmentId.optional() }),
  paged: false,
  response: claimShape,
  async answer({ path, search }, context) {
    const maySee = (document: StoredDocument): boolean =>
      owns(context.reader, document) &&
      (search.environment_id === undefined || document.indexes['environment'] === search.environment_id);
    const byId = await context.readModels.get('claims', path.id.toLowerCase());
    const found =
      byId !== undefined && maySee(byId) ? byId : await byReference(path.id, search.environment_id, context);
    const document = shown(found, 'claim_not_found', maySee);
    const { view } = contentOf(document) as ClaimDocument;
    const claim = await withDocuments(view, context.records);
    const etag = etagOf(context, 'claims', document, claimStream(document.key));
    return { kind: 'resource', body: JSON.stringify(claim), etag };
  },
});

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
  if (count > 1)
    throw new Refusal('reference_ambiguous', `${REFUSALS.reference_ambiguous.title}; add ?environment_id=`);
  return documents[0];
}

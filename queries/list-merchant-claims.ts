import { z } from 'zod';
import type { ClaimDocument } from '../projections/claims/claims.ts';
import { claimItemSchema } from '../projections/claims/claim-resource.ts';
import { ownedValue } from '../projections/owner.ts';
import { CLAIM_STATUSES } from '../src/domain/claim/stages.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { merchantListSearch, ownerOfList, readCursorPage } from './cursor-lists.ts';
import { defineQuery } from './query.ts';
import { parseBody } from './stored-documents.ts';
import { idFilter, merchantPath } from './parameters.ts';

export const listMerchantClaims = defineQuery({
  name: 'ListMerchantClaims',
  summary: 'Lists the claims of a merchant, newest first.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: merchantPath,
  search: z.strictObject({
    ...merchantListSearch,
    claim_status: z
      .enum(CLAIM_STATUSES, `must be one of: ${CLAIM_STATUSES.join(', ')}`)
      .optional()
      .meta({ description: 'Only claims of this status' }),
    policy_id: idFilter.meta({ description: 'Only claims on this policy' }),
  }),
  paged: true,
  byCursor: true,
  response: z.array(claimItemSchema),
  async respond({ path, search: { limit, after, claim_status, policy_id, test_mode } }, context) {
    const owner = await ownerOfList(context, path.short_code, { test_mode });
    const ownerStatus = claim_status && ownedValue(owner, claim_status);
    const list = {
      list: 'ListMerchantClaims',
      owner,
      filters: { claim_status, policy_id },
      collection: 'claims',
      where: policy_id ? { policy: policy_id, owner } : ownerStatus ? { owner_status: ownerStatus } : { owner },
      matches: ({ indexes }: StoredDocument) => ownerStatus === undefined || indexes['owner_status'] === ownerStatus,
      item: toItem,
    };
    return await readCursorPage(context, list, { limit, after });
  },
});

function toItem(stored: StoredDocument): string {
  const { documents: _, ...item } = (parseBody(stored) as ClaimDocument).view;
  return JSON.stringify(item);
}

import { z } from 'zod';
import { claims } from '../../projections/claims/claims.ts';
import { claimStream } from '../../src/domain/claim/claim.ts';
import { paging } from '../lists.ts';
import { defineQuery } from '../query.ts';
import { getClaimDocument } from '../resources.ts';
import { claimPath, environmentChoice } from '../shapes.ts';
import { historyEntryShape, readHistoryPage } from './history-page.ts';

export const getClaimHistory = defineQuery({
  name: 'GetClaimHistory',
  summary:
    'Lists everything that happened to a claim, oldest first, with what each event changed; a document appears by the SHA-256 of its content.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: claimPath,
  search: z.strictObject({ ...environmentChoice, ...paging }),
  paged: true,
  showsPaging: true,
  response: z.array(historyEntryShape),
  async answer({ path, search }, context) {
    const stored = await getClaimDocument(context, path.id, search.environment_id);
    const ownStream = claimStream(stored.key);
    return await readHistoryPage(
      context,
      { projection: claims, ownStream, toResource: ({ view }) => view },
      stored,
      search,
    );
  },
});

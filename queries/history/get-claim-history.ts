import { claims } from '../../projections/claims/claims.ts';
import { getClaimDocument } from '../resources.ts';
import { claimPath, environmentChoice } from '../parameters.ts';
import { defineHistory } from './define-history.ts';
import { historyOf } from './history-page.ts';

export const getClaimHistory = defineHistory({
  name: 'GetClaimHistory',
  summary:
    'Lists everything that happened to a claim, oldest first, with what each event changed; a document appears by the SHA-256 of its content.',
  pathParameters: claimPath,
  search: environmentChoice,
  read: async ({ path, search }, context) => {
    const stored = await getClaimDocument(context, path.id, search.environment_id);
    return historyOf(context, { projection: claims, toResource: ({ view }) => view }, stored);
  },
});

import { submitClaim } from '../../../commands/claim/submit-claim.ts';
import { getClaim } from '../../../queries/get-claim.ts';
import { getClaimHistory } from '../../../queries/history/get-claim-history.ts';
import { claimShape } from '../../../queries/shapes.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../route.ts';

export const claimRoutes: readonly AuthenticatedRoute[] = [
  queryRoute('/api/v1/claims/:id', getClaim),
  queryRoute('/api/v1/claims/:id/history', getClaimHistory),
  commandRoute('/api/v1/claims', { command: submitClaim, answer: claimShape }),
];

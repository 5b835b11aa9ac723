import { getMe } from '../../../queries/get-me.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../route.ts';

export const meRoutes: readonly AuthenticatedRoute[] = [queryRoute('/api/v1/me', getMe)];

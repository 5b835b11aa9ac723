import { getPortfolio } from '../../../queries/portfolio/get-portfolio.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../route.ts';

export const auditRoutes: readonly AuthenticatedRoute[] = [queryRoute('/api/v1/audit/portfolio', getPortfolio)];

import { getVerification, verificationSchema } from '../../../queries/get-verification.ts';
import { getPortfolio } from '../../../queries/portfolio/get-portfolio.ts';
import { requireBuilt } from '../handlers/positions.ts';
import { ifMatchOf } from '../handlers/run-command.ts';
import { queryRoute } from '../handlers/query-route.ts';
import { noParameters, parseQuery } from '../messages/query-string.ts';
import type { AuthenticatedRoute } from '../route.ts';

const PATH = '/api/v1/admin/verifications';

/** The verification runs after the response. */
const startRoute: AuthenticatedRoute = {
  name: 'StartVerification',
  summary: 'Starts a verification of the event log and of the read models.',
  method: 'POST',
  path: PATH,
  kind: 'admin',
  roles: ['admin', 'auditor'],
  wrongRoleCode: 'forbidden',
  reference: {
    search: noParameters,
    body: undefined,
    response: verificationSchema,
    status: 202,
    paged: false,
    hasLocation: true,
  },
  handle: async ({ search, request }, context) => {
    parseQuery(noParameters, search);
    ifMatchOf({}, request.headers);
    requireBuilt(context);
    const verification = await context.startVerification();
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      Vary: 'X-API-Key',
      Location: `${PATH}/${verification.verification_id}/`,
    };
    return { status: 202, headers, body: JSON.stringify(verification) };
  },
};

export const auditRoutes: readonly AuthenticatedRoute[] = [
  queryRoute('/api/v1/audit/portfolio', getPortfolio),
  startRoute,
  queryRoute(`${PATH}/:verification_id`, getVerification),
];

import { z } from 'zod';
import { verifyMerchant } from '#commands/merchant/verify-merchant.ts';
import { find } from '#queries/find/find.ts';
import { getMe } from '#queries/get-me.ts';
import { getWork } from '#queries/work.ts';
import { getMerchant, listMerchants, getEnvironment, listMerchantEnvironments } from '#queries/merchants.ts';
import { getMerchantHistory } from '#queries/history/histories.ts';
import { listEnvironmentKeys } from '#queries/operator-lists.ts';
import { respondWhenVisible } from '../handlers/run-command.ts';
import { bodyQueryRoute, queryRoute } from '../handlers/query-route.ts';
import { optionalToken, tokenSearch, VERIFIED, verify } from '../handlers/verify.ts';
import { parseQuery } from '../messages/query-string.ts';
import { type AuthenticatedRoute, routesOf } from '../../server/route.ts';

export const merchantRoutes = routesOf<AuthenticatedRoute>('Merchants', [
  queryRoute('/api/v1/merchants', listMerchants),
  queryRoute('/api/v1/merchants/:short_code/', getMerchant),
  queryRoute('/api/v1/merchants/:short_code/history/', getMerchantHistory),
  queryRoute('/api/v1/merchants/:short_code/environments', listMerchantEnvironments),
  {
    name: verifyMerchant.name,
    summary: verifyMerchant.summary,
    method: 'GET',
    path: '/api/v1/merchants/:short_code/verify/',
    kind: 'command',
    roles: ['merchant', 'admin'],
    wrongRoleCode: 'forbidden',
    reference: {
      description: verifyMerchant.description,
      errors: verifyMerchant.errors,
      example: { path: { short_code: 'ACM-20E3' } },
      search: tokenSearch,
      response: z.strictObject({ message: z.string() }),
    },
    handle: async (call, context) => {
      const { token } = parseQuery(optionalToken, call.search);
      const outcome = await verify(call, call.parameters['short_code'], token, call.caller.actor, context);
      return await respondWhenVisible(outcome, JSON.stringify({ message: VERIFIED }), context);
    },
  },
  queryRoute('/api/v1/environments/:id/', getEnvironment),
  queryRoute('/api/v1/environments/:id/keys', listEnvironmentKeys),
  queryRoute('/api/v1/me', getMe),
  queryRoute('/api/v1/work/', getWork),
  bodyQueryRoute('/api/v1/find', find),
]);

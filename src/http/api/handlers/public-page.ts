import type { z } from 'zod';
import { noParameters, parseQuery } from '../messages/query-string.ts';
import type { PublicRoute } from '../../server/route.ts';

export function publicPage(
  { response, ...route }: Pick<PublicRoute, 'name' | 'summary' | 'path'> & { readonly response: z.ZodType },
  handle: PublicRoute['handle'],
): PublicRoute {
  return {
    ...route,
    method: 'GET',
    kind: 'page',
    roles: 'anyone',
    reference: { search: noParameters, response },
    handle: async (call, context) => {
      parseQuery(noParameters, call.search);
      return await handle(call, context);
    },
  };
}

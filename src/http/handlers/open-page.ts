import type { z } from 'zod';
import { noParameters, parseQuery } from '../messages/query-string.ts';
import type { PublicRoute } from '../route.ts';

/** Makes a route that needs no key and takes no query parameters. */
export function openPage(
  { answer, ...facts }: Pick<PublicRoute, 'name' | 'summary' | 'path'> & { readonly answer: z.ZodType },
  show: PublicRoute['handle'],
): PublicRoute {
  return {
    ...facts,
    method: 'GET',
    kind: 'page',
    roles: 'anyone',
    reference: { search: noParameters, body: undefined, answer, status: 200, paged: false },
    handle: async (call, context) => {
      parseQuery(noParameters, call.search);
      return await show(call, context);
    },
  };
}

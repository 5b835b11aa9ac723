import { z } from 'zod';
import { parseInput } from '../../domain/input.ts';
import { parseSearch } from '../messages/query-string.ts';
import type { PublicRoute } from '../route.ts';

const noParameters = z.strictObject({});

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
      parseInput(noParameters, parseSearch(call.search));
      return await show(call, context);
    },
  };
}

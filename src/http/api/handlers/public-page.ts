import { noParameters, parseQuery } from '../messages/query-string.ts';
import type { PublicRoute, RouteReference } from '../../server/route.ts';

export interface PublicPage extends Pick<PublicRoute, 'name' | 'summary' | 'path'> {
  readonly reference: Omit<RouteReference, 'search'>;
}

export function publicPage({ reference, ...route }: PublicPage, handle: PublicRoute['handle']): PublicRoute {
  return {
    ...route,
    method: 'GET',
    kind: 'page',
    roles: 'anyone',
    reference: { ...reference, search: noParameters },
    handle: async (call, context) => {
      parseQuery(noParameters, call.search);
      return await handle(call, context);
    },
  };
}

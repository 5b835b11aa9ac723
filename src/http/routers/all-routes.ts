import { QUERIES } from '../../../queries/registry.ts';
import { adminCommandRoutes } from './admin.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { healthRoutes } from './health.ts';
import { publicCommandRoutes } from '../handlers/public-command-routes.ts';
import { queryRoute } from '../handlers/query-route.ts';
import { quoteRoutes } from './quotes.ts';
import { referenceRoutes } from './docs.ts';
import type { Route } from '../route.ts';
import { verificationRoutes } from './verification.ts';

/** Every route there is: the only place from which the server, the reference and the tenancy test know them. */
export function allRoutes(dependencies: HttpDependencies): readonly Route[] {
  if (dependencies.servesApi === false) return healthRoutes(dependencies);
  const routes: readonly Route[] = [
    ...QUERIES.map((query) => queryRoute(query, dependencies)),
    ...quoteRoutes(dependencies),
    ...publicCommandRoutes(dependencies),
    ...verificationRoutes(dependencies),
    ...adminCommandRoutes(dependencies),
    ...healthRoutes(dependencies),
  ];
  return [...routes, ...referenceRoutes(dependencies, routes)];
}

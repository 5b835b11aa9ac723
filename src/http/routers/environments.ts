import { getEnvironment } from '../../../queries/get-environment.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { KeyedRoute } from '../route.ts';

export const environmentRoutes: readonly KeyedRoute[] = [queryRoute('/api/v1/environments/:id', getEnvironment)];

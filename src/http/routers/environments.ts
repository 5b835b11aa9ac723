import { getEnvironment } from '../../../queries/environments.ts';
import { listEnvironmentKeys } from '../../../queries/list-keys.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../route.ts';

export const environmentRoutes: readonly AuthenticatedRoute[] = [
  queryRoute('/api/v1/environments/:id', getEnvironment),
  queryRoute('/api/v1/environments/:id/keys', listEnvironmentKeys),
];

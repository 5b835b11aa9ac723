import { z } from 'zod';
import { registerProvider } from '../../../commands/provider/register-provider.ts';
import { listInsurers, searchProviders } from '../../../queries/list-providers.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../route.ts';

export const providerRoutes: readonly AuthenticatedRoute[] = [
  queryRoute('/api/v1/insurers', listInsurers),
  queryRoute('/api/v1/providers/search', searchProviders),
  commandRoute('/api/v1/onboarding/providers/registration', {
    command: registerProvider,
    roles: ['merchant', 'admin'],
    answer: z.strictObject({ provider_id: z.uuid(), name: z.string(), support_email: z.string().nullable() }),
  }),
];

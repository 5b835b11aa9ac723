import type { HttpDependencies } from '../../server/dependencies.ts';
import type { Route } from '../../server/route.ts';
import { platformRoutes } from './admin.ts';
import { productRoutes, providerRoutes, quoteRoutes } from './catalogue.ts';
import { claimRoutes } from './claims.ts';
import { consoleRoutes } from './console.ts';
import { customerRoutes } from './customers.ts';
import { docsRoutes } from './docs.ts';
import { eventRoutes } from './events.ts';
import { guideRoutes } from './guides.ts';
import { healthRoutes } from './health.ts';
import { auditRoutes, rebuildRoutes } from './jobs.ts';
import { merchantRoutes } from './merchants.ts';
import { onboardingRoutes } from './onboarding.ts';
import { policyRoutes } from './policies.ts';
import { rootRoutes } from './root.ts';
import { sessionRoutes } from './session.ts';
import { signInRoutes } from './sign-in.ts';
import { statusRoutes } from './status.ts';

/** Routes by router, the most used first. */
const ROUTERS: readonly (readonly Route[])[] = [
  policyRoutes,
  quoteRoutes,
  claimRoutes,
  customerRoutes,
  merchantRoutes,
  eventRoutes,
  productRoutes,
  providerRoutes,
  onboardingRoutes,
  sessionRoutes,
  signInRoutes,
  platformRoutes,
  rebuildRoutes,
  auditRoutes,
  statusRoutes,
  healthRoutes,
  docsRoutes,
  consoleRoutes,
  rootRoutes,
  guideRoutes,
];

/** Returns the routes of the process: a process without the role `api` serves health and metrics only. */
export function routersOf({ servesApi }: Pick<HttpDependencies, 'servesApi'>): readonly (readonly Route[])[] {
  return servesApi === false ? [healthRoutes] : ROUTERS;
}

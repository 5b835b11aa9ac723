import type { HttpDependencies } from '../dependencies.ts';
import type { Route } from '../route.ts';
import { adminRoutes } from './admin.ts';
import { auditRoutes } from './audit.ts';
import { claimRoutes } from './claims.ts';
import { customerRoutes } from './customers.ts';
import { docsRoutes } from './docs.ts';
import { environmentRoutes } from './environments.ts';
import { healthRoutes } from './health.ts';
import { meRoutes } from './me.ts';
import { merchantRoutes } from './merchants.ts';
import { onboardingRoutes } from './onboarding.ts';
import { policyRoutes } from './policies.ts';
import { productRoutes } from './products.ts';
import { providerRoutes } from './providers.ts';
import { quoteRoutes } from './quotes.ts';
import { verificationRoutes } from './verifications.ts';
import { rebuildRoutes } from './rebuilds.ts';

/** Routes by router, the most used first. */
const ROUTERS: readonly (readonly Route[])[] = [
  policyRoutes,
  quoteRoutes,
  claimRoutes,
  customerRoutes,
  merchantRoutes,
  environmentRoutes,
  meRoutes,
  productRoutes,
  providerRoutes,
  onboardingRoutes,
  adminRoutes,
  rebuildRoutes,
  auditRoutes,
  verificationRoutes,
  healthRoutes,
  docsRoutes,
];

/** Returns the routes of the process: a process without the role `api` serves health and metrics only. */
export function routersOf({ servesApi }: Pick<HttpDependencies, 'servesApi'>): readonly (readonly Route[])[] {
  return servesApi === false ? [healthRoutes] : ROUTERS;
}

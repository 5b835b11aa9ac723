import type { ActingEnvironment } from '#domain/environment/environment.ts';
import { environmentsOf } from '#queries/merchants.ts';
import type { HttpDependencies } from '../../server/dependencies.ts';
import { requireBuilt } from '../handlers/positions.ts';
import { Refusal } from '../messages/problem-types.ts';
import type { OriginRequest } from '../messages/links.ts';

/** Returns the number in `Surety-Environment`, as it was sent; undefined without one. */
export function environmentAskedFor({ headers }: Pick<OriginRequest, 'headers'>): string | undefined {
  return headers['surety-environment']?.toString();
}

/**
 * Returns the environment in which a person of a merchant acts without a key: the one that the request names, else the
 * first live one.
 * @throws {Refusal} `environment_not_found`, `read_models_building` @throws {StoreUnavailable}
 */
export async function findActingEnvironment(
  merchantId: string,
  asked: string | undefined,
  context: Pick<HttpDependencies, 'projector' | 'readModels'>,
): Promise<ActingEnvironment> {
  requireBuilt(context);
  const environments = await environmentsOf(merchantId, context.readModels);
  const found =
    asked === undefined
      ? (environments.find(({ test_mode }) => !test_mode) ?? environments[0])
      : environments.find(({ environment_id }) => String(environment_id) === asked);
  if (found === undefined) throw unknownEnvironment(asked);
  return { environmentId: found.environment_id, merchantId, testMode: found.test_mode };
}

export function unknownEnvironment(asked: string | undefined): Refusal {
  const detail =
    asked === undefined
      ? 'The merchant has no environment yet'
      : 'Surety-Environment must be the number of an environment of the merchant; of a key, that of its own';
  return new Refusal('environment_not_found', detail);
}

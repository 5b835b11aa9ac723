import type { EnvironmentDocument } from '#projections/environments/environments.ts';
import type { MerchantDocument } from '#projections/merchants/merchants.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import type { QueryContext } from './query.ts';

type ReadContext = Pick<QueryContext, 'readModels'>;

/** An environment in which a reference is used. */
interface Candidate {
  readonly environment_id: number;
  readonly environment_name: string;
  readonly test_mode: boolean;
  readonly merchant_short_code: string;
  readonly merchant_name: string;
}

/** Returns the environments of policies or claims by their numbers, as far as environments and merchants can be read. */
export async function candidatesOf(
  context: ReadContext,
  documents: readonly StoredDocument[],
): Promise<readonly Candidate[]> {
  const numbers = documents.map(({ indexes }) => Number(indexes['environment'])).toSorted((a, b) => a - b);
  const ids = numbers.map(String);
  const environments = await readBodies<EnvironmentDocument>(context, 'environments', ids);
  const merchantIds = [...environments.values()].map(({ merchant_id }) => merchant_id);
  const merchants = await readBodies<MerchantDocument>(context, 'merchants', merchantIds);
  return ids.flatMap((id) => {
    const environment = environments.get(id);
    const merchant = environment && merchants.get(environment.merchant_id);
    if (environment === undefined || merchant === undefined) return [];
    const { environment_name, test_mode } = environment;
    const { short_code: merchant_short_code, name: merchant_name } = merchant;
    return [{ environment_id: Number(id), environment_name, test_mode, merchant_short_code, merchant_name }];
  });
}

/** Returns the documents of a collection that can be read, by their keys. */
export async function readBodies<Document>(
  { readModels }: ReadContext,
  collection: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Document>> {
  const stored = await readModels.getMany(collection, [...new Set(keys)]);
  return new Map(
    stored.flatMap(({ key, body }) => (body === undefined ? [] : [[key, JSON.parse(body) as Document] as const])),
  );
}

import type { ReadModels } from '../read-models/read-models.ts';
import { SafeError } from '../safe-error.ts';

/** The documents of a rebuild are worse than those that are served. The message is the reason. */
export class RebuildRefused extends SafeError {
  override readonly name = 'RebuildRefused';
}

const PAGE = 500;
/** Number of documents that the reason names. */
const MAX_NAMED = 5;

/** Refuses a build with parked documents that are served in a good state. @throws {RebuildRefused} @throws {StoreUnavailable} */
export async function requireNoneParked(
  collections: readonly string[],
  { build, served }: { readonly build: Pick<ReadModels, 'parked'>; readonly served: Pick<ReadModels, 'getMany'> },
): Promise<void> {
  const named: string[] = [];
  let count = 0;
  for (const collection of collections) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await build.parked(collection, { limit: PAGE, offset });
      const reasons = new Map(
        page.map(({ key, parked: { position, reason } }) => [key, `at position ${position}: ${reason}`]),
      );
      for (const { key, parked } of await served.getMany(collection, [...reasons.keys()])) {
        if (parked !== undefined) continue;
        count += 1;
        if (named.length < MAX_NAMED) named.push(`${collection} ${key} ${reasons.get(key)}`);
      }
      if (page.length < PAGE) break;
    }
  }
  if (count === 0) return;
  const more = count > named.length ? `; and ${count - named.length} more` : '';
  throw new RebuildRefused(`documents that are served would be parked: ${named.join('; ')}${more}`);
}

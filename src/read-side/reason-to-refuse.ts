import type { DocumentReader } from '#stores/read-models/read-models.ts';

const PAGE = 500;
const MAX_NAMED = 5;

/**
 * Returns why a generation must not replace the served one: documents that are parked in it are served in a good state.
 * @throws {StoreUnavailable}
 */
export async function reasonToRefuse(
  collections: readonly string[],
  built: Pick<DocumentReader, 'parked'>,
  served: Pick<DocumentReader, 'getMany'>,
): Promise<string | undefined> {
  const named: string[] = [];
  let count = 0;
  for (const collection of collections) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await built.parked(collection, { limit: PAGE, offset });
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
  if (count === 0) return undefined;
  const more = count > named.length ? `; and ${count - named.length} more` : '';
  return `documents that are served would be parked: ${named.join('; ')}${more}`;
}

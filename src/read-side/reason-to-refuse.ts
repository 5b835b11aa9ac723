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
  served: Pick<DocumentReader, 'getMany' | 'checkpoint'>,
): Promise<string | undefined> {
  const { position: reflected = 0n } = (await served.checkpoint()) ?? {};
  const named: string[] = [];
  let count = 0;
  for (const collection of collections) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await built.parked(collection, { limit: PAGE, offset });
      const keys = page.map(({ key }) => key);
      const stored = new Map((await served.getMany(collection, keys)).map((document) => [document.key, document]));
      for (const { key, parked } of page) {
        const document = stored.get(key);
        // Rows that are not parked have no document by this key.
        if (document === undefined ? parked.position > reflected : document.parked !== undefined) continue;
        count += 1;
        if (named.length < MAX_NAMED)
          named.push(`${collection} ${key} at position ${parked.position}: ${parked.reason}`);
      }
      if (page.length < PAGE) break;
    }
  }
  if (count === 0) return undefined;
  const more = count > named.length ? `; and ${count - named.length} more` : '';
  return `documents that are served would be parked: ${named.join('; ')}${more}`;
}

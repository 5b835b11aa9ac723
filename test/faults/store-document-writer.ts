/** A process that writes documents with their checkpoint until it is killed and prints each acknowledged checkpoint. */
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { takeOverServed, writeDocuments } from '../support/write-documents.ts';

const [folder = ''] = process.argv.slice(2);
const definitions = [{ name: 'policies', version: 1, indexes: ['round'] }];
const generation = await takeOverServed(openSqliteReadModels({ folder, definitions }));

/** Every round overwrites the same documents, so that a partial write would show two rounds at once. */
for (let round = Number((await generation.checkpoint())?.position ?? 0n) + 1; ; round += 1) {
  const documents = Array.from({ length: 50 }, (_, n): StoredDocument => {
    const key = `p-${n}`;
    const body = JSON.stringify({ round, text: 'x'.repeat(500) });
    return {
      key,
      body,
      order: BigInt(n),
      stream: `policy-${key}`,
      revision: 0,
      position: BigInt(round),
      indexes: { round },
      parked: undefined,
    };
  });
  await writeDocuments(generation, 'policies', documents, BigInt(round));
  process.stdout.write(`${round}\n`);
}

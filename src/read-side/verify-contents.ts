import type { ClaimDocument } from '#projections/claims/claims.ts';
import type { ContentsReport } from '#queries/verifications.ts';
import type { DocumentReader } from '#stores/read-models/read-models.ts';
import { type BlobSource, checkBlob } from '#stores/records/records.ts';

const PAGE = 1_000;

/**
 * Compares the content of every document of every claim with the SHA-256 that the read model of claims has.
 * @throws {StoreUnavailable}
 */
export async function verifyContents(
  readModels: Pick<DocumentReader, 'scan'>,
  contents: BlobSource,
): Promise<ContentsReport> {
  let compared = 0;
  const differences: ContentsReport['differences'] = [];
  for (let after: string | undefined; ; ) {
    const page = await readModels.scan('claims', { after, limit: PAGE });
    for (const { key, body } of page) {
      for (const sha256 of hashesIn(body)) {
        compared += 1;
        const { state } = await checkBlob(contents, sha256);
        if (state !== 'intact') differences.push({ claim: key, sha256, what: state });
      }
    }
    after = page.at(-1)?.key;
    if (page.length < PAGE) return { compared, differences };
  }
}

/** Returns no hash for a damaged body, which `verifyReadModels` reports. */
function hashesIn(body: string | undefined): readonly string[] {
  if (body === undefined) return [];
  try {
    return (JSON.parse(body) as ClaimDocument).claim.documents.map(({ sha256 }) => sha256);
  } catch {
    return [];
  }
}

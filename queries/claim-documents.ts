import type { ClaimDocument } from '../projections/claims/claim-document.ts';
import type { ClaimResource, DocumentEntry } from '../projections/claims/claim-resource.ts';
import type { Records } from '../src/records/records.ts';
import type { BodyStream } from './query.ts';

type Blobs = Pick<Records, 'getBlob'>;

/** Divisible by 3, so that the base64 texts of the parts can be joined. */
const PART_BYTES = 48 * 1024;

/** Returns the JSON text of a claim with the contents of its documents, of which one at a time is in memory. */
export function claimBody({ view }: ClaimDocument, records: Blobs): string | BodyStream {
  if (view.documents.length === 0) return JSON.stringify(view);
  return { chunks: () => claimJson(view, records) };
}

/** Loads the first content before the first text, so that it can still be answered with an error if it is missing. */
async function* claimJson({ documents, ...claim }: ClaimResource, records: Blobs): AsyncGenerator<string> {
  let text = `${JSON.stringify(claim).slice(0, -1)},"documents":[`;
  for (const [index, { document_name, evidence_type, sha256, uploaded_at }] of documents.entries()) {
    const content = await getContent(sha256, records);
    const entry = JSON.stringify({ document_name, evidence_type, sha256 }).slice(0, -1);
    yield `${text}${index === 0 ? '' : ','}${entry},"blob":"`;
    yield* base64Of(content);
    text = `","uploaded_at":${JSON.stringify(uploaded_at)}}`;
  }
  yield `${text}]}`;
}

function* base64Of(content: Uint8Array): Generator<string> {
  for (let start = 0; start < content.length; start += PART_BYTES)
    yield Buffer.from(content.subarray(start, start + PART_BYTES)).toString('base64');
}

/** Returns the content of a document. @throws {Error} when it is missing in records */
export async function getContent(sha256: DocumentEntry['sha256'], records: Blobs): Promise<Uint8Array> {
  const content = await records.getBlob(sha256);
  if (content === undefined) throw new Error(`the content ${sha256} of a document is missing in records`);
  return content;
}

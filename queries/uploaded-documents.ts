import type { ClaimResource, UploadedDocumentItem } from '#projections/claims/claim-resource.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { type BlobSource, checkBlob, readBlob } from '#stores/records/records.ts';
import type { BodyStream } from './query.ts';

const refuse = refusalsOf('document_damaged');

/** What `requireContent` throws. */
export const CONTENT_ERRORS = refuse.codes;

/** Divisible by 3, so that the base64 texts of the parts can be joined. */
const PART_BYTES = 48 * 1024;

/** A damaged content is refused with `document_damaged`, or null where the claim must be shown. */
type DamagedContent = 'refused' | 'null';

/** Returns the JSON text of a claim with the contents of its documents, of which a row at a time is in memory. */
export function claimBody(
  claim: Pick<ClaimResource, 'documents'>,
  source: BlobSource,
  damaged: DamagedContent = 'refused',
): string | BodyStream {
  return claim.documents.length === 0 ? JSON.stringify(claim) : { chunks: () => claimJson(claim, source, damaged) };
}

/** Checks all contents before the first text, so that a damaged one can still be answered with an error. */
async function* claimJson(
  { documents, ...claim }: Pick<ClaimResource, 'documents'>,
  source: BlobSource,
  damaged: DamagedContent,
): AsyncGenerator<string> {
  const nulls = new Set<string>();
  for (const sha256 of new Set(documents.map((document) => document.sha256))) {
    if (damaged === 'refused') await requireContent(sha256, source);
    else if ((await checkBlob(source, sha256)).state !== 'intact') nulls.add(sha256);
  }
  let text = `${JSON.stringify(claim).slice(0, -1)},"documents":[`;
  for (const [index, { uploaded_at, ...document }] of documents.entries()) {
    const { sha256 } = document;
    const entry = JSON.stringify(document).slice(0, -1);
    text += `${index === 0 ? '' : ','}${entry},"blob":`;
    if (nulls.has(sha256)) text += 'null';
    else {
      yield `${text}"`;
      yield* base64Of(readBlob(source, sha256));
      text = '"';
    }
    text += `,"uploaded_at":${JSON.stringify(uploaded_at)}}`;
  }
  yield `${text}]}`;
}

/** Encodes bytes whose parts may end within a group of three. */
async function* base64Of(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const part of parts) {
    const bytes = Buffer.concat([rest, part]);
    const end = bytes.length - (bytes.length % 3);
    for (let at = 0; at < end; at += PART_BYTES) yield bytes.toString('base64', at, Math.min(at + PART_BYTES, end));
    rest = bytes.subarray(end);
  }
  yield rest.toString('base64');
}

/** Checks the content of a document, and returns it. @throws {Refusal} when it is damaged */
export async function requireContent(sha256: UploadedDocumentItem['sha256'], source: BlobSource): Promise<BodyStream> {
  const { state, size } = await checkBlob(source, sha256);
  if (state !== 'intact') throw refuse('document_damaged', `The stored content ${sha256} of a document is ${state}`);
  return { length: size, chunks: () => readBlob(source, sha256) };
}

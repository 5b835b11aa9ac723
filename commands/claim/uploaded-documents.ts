import { z } from 'zod';
import { MAX_CLAIM_DOCUMENTS } from '#domain/claim/claim-commands.ts';
import type { UploadedDocument } from '#domain/claim/claim-events.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { CommandContext } from '../command.ts';
import { fileName, line } from '../shared/fields.ts';

/** Limit of all documents of one request. */
const MAX_REQUEST_BYTES = 10 * 1024 * 1024;

/** Accepts the canonical form only, so that every content has one text. */
function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text;
}

/** `documents` of a claim submission, or of an addition. */
export const documentsInput = z
  .array(
    z.strictObject({
      document_name: fileName,
      evidence_type: line(255).nullable(),
      blob: z
        .string()
        .min(1, 'must not be empty')
        .refine(isBase64, 'must be base64 (with +, / and padding)')
        .meta({ description: 'The content, base64', contentEncoding: 'base64' }),
    }),
  )
  .max(MAX_CLAIM_DOCUMENTS, `must have at most ${MAX_CLAIM_DOCUMENTS} documents`)
  .refine((documents) => sizeOf(documents) <= MAX_REQUEST_BYTES, 'must have at most 10 MiB in all');

/** Returns the size of the contents in bytes. */
export function sizeOf(documents: readonly { readonly blob: string }[]): number {
  return documents.reduce((sum, { blob }) => sum + Buffer.byteLength(blob, 'base64'), 0);
}

export type DocumentsInput = z.output<typeof documentsInput>;

/** A document as the reservation of a claim stores it: its content is in the records already. */
interface ReservedDocument {
  readonly document_name: string;
  readonly evidence_type: string | null;
  readonly sha256: string;
  /** Size of the content in bytes. */
  readonly bytes: number;
  readonly content_type: string;
}

/**
 * Stores the contents of the documents before the event that refers to them. The documents of a submission that is
 * completed from its reservation are stored already.
 */
export async function saveUploadedDocuments(
  documents: readonly (DocumentsInput[number] | ReservedDocument)[],
  uploadedAt: Instant,
  context: CommandContext,
): Promise<readonly UploadedDocument[]> {
  const stored: UploadedDocument[] = [];
  for (const document of documents) {
    const { document_name: name, evidence_type: evidenceType } = document;
    stored.push({ name, evidenceType, ...(await contentOf(document, context)), uploadedAt });
  }
  return stored;
}

async function contentOf(
  document: DocumentsInput[number] | ReservedDocument,
  context: CommandContext,
): Promise<Pick<UploadedDocument, 'sha256' | 'bytes' | 'contentType'>> {
  if ('sha256' in document)
    return { sha256: document.sha256, bytes: document.bytes, contentType: document.content_type };
  const bytes = Buffer.from(document.blob, 'base64');
  return { sha256: await context.services.saveBlob(bytes), bytes: bytes.length, contentType: contentTypeOf(bytes) };
}

/** The types that are recognised, by their first bytes. */
const FIRST_BYTES: readonly (readonly [string, Buffer])[] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
];

/** Returns the type of a content by its first bytes; `application/octet-stream` where they are not known. */
function contentTypeOf(bytes: Buffer): string {
  const found = FIRST_BYTES.find(([, first]) => bytes.subarray(0, first.length).equals(first));
  return found?.[0] ?? 'application/octet-stream';
}

import { z } from 'zod';
import type { ClaimSubmitted } from '../../src/domain/claim/claim.ts';
import type { Moment } from '../../src/event-sourcing/time.ts';
import type { EventOf } from '../../src/event-sourcing/event.ts';
import type { CommandContext } from '../../src/command-handling/command.ts';
import { line } from '../shared/fields.ts';

/** The most bytes the documents of one submission may have in all (`decisions`: Requests). */
export const MOST_DOCUMENT_BYTES = 10 * 1024 * 1024;
const MOST_DOCUMENTS = 100;

/** What the event keeps of a document. */
export type StoredClaimDocument = EventOf<typeof ClaimSubmitted>['data']['documents'][number];

/** Exactly the canonical form: what decodes to other bytes than it says, for example because a part is missing, is refused. */
function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text;
}

/** `documents` of a claim submission. */
export const documentsInput = z
  .array(
    z.strictObject({
      document_name: line(255),
      evidence_type: line(10),
      blob: z
        .string()
        .min(1, 'must not be empty')
        .refine(isBase64, 'must be base64 (with +, / and padding)')
        .meta({ description: 'The content, base64', contentEncoding: 'base64' }),
    }),
  )
  .max(MOST_DOCUMENTS, `must have at most ${MOST_DOCUMENTS} documents`)
  .refine(
    (documents) =>
      documents.reduce((sum, { blob }) => sum + Buffer.byteLength(blob, 'base64'), 0) <= MOST_DOCUMENT_BYTES,
    'must have at most 10 MiB in all',
  );

export type DocumentsInput = z.output<typeof documentsInput>;

/** A document as a reservation names it: its content lies in records already. */
export interface ReservedDocument {
  readonly document_name: string;
  readonly evidence_type: string;
  readonly sha256: string;
}

/**
 * Keeps the contents in records, so that the event names nothing that is not there; those of a submission that is completed
 * lie there already.
 */
export async function saveDocuments(
  documents: readonly (DocumentsInput[number] | ReservedDocument)[],
  uploadedAt: Moment,
  context: CommandContext,
): Promise<readonly StoredClaimDocument[]> {
  const kept: StoredClaimDocument[] = [];
  for (const document of documents) {
    const { document_name: name, evidence_type: evidenceType } = document;
    kept.push({ name, evidenceType, ...(await contentOf(document, context)), uploadedAt });
  }
  return kept;
}

async function contentOf(
  document: DocumentsInput[number] | ReservedDocument,
  context: CommandContext,
): Promise<Pick<StoredClaimDocument, 'sha256' | 'bytes'>> {
  if ('sha256' in document) {
    const found = await context.findBlob(document.sha256);
    if (found === undefined) throw new Error('the content of a document that was kept is not there');
    return { sha256: document.sha256, bytes: found.length };
  }
  const bytes = Buffer.from(document.blob, 'base64');
  return { sha256: await context.saveBlob(bytes), bytes: bytes.length };
}

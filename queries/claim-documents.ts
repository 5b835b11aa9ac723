import type { ClaimResource } from '../projections/claims/claim-resource.ts';
import type { Records } from '../src/records/records.ts';

/** A claim as a single resource: every document with its content. */
export type ClaimWithDocuments = Omit<ClaimResource, 'documents'> & {
  readonly documents: readonly {
    readonly document_name: string;
    readonly evidence_type: string;
    /** Base64. */
    readonly blob: string;
    readonly uploaded_at: string;
  }[];
};

/** Returns the claim with the contents of its documents. @throws {Error} when a content is missing in records */
export async function withDocuments(view: ClaimResource, records: Records): Promise<ClaimWithDocuments> {
  const documents = await Promise.all(
    view.documents.map(async ({ document_name, evidence_type, sha256, uploaded_at }) => {
      const content = await records.getBlob(sha256);
      if (content === undefined) throw new Error(`the content ${sha256} of a document of ${view.claim_id} is gone`);
      return { document_name, evidence_type, blob: Buffer.from(content).toString('base64'), uploaded_at };
    }),
  );
  return { ...view, documents };
}

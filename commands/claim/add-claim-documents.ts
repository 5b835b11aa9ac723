import { z } from 'zod';
import { ClaimDocumentsAdded } from '#domain/claim/claim-events.ts';
import { type ClaimState, claimIds } from '#domain/claim/claim.ts';
import { bytesOf, CLAIM_PARTIES, MAX_CLAIM_BYTES, MAX_CLAIM_DOCUMENTS } from '#domain/claim/claim-commands.ts';
import { dayIn } from '#domain/values/dates.ts';
import { refusalsOf, wrongField } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { type DocumentsInput, documentsInput, saveUploadedDocuments, sizeOf } from './uploaded-documents.ts';
import { claimStatusResult, claimStatusSchema } from './claim-checks.ts';
import { changeOfClaim, claimIdOrReference, findClaimErrors } from './find-claim.ts';

const refuse = refusalsOf('claim_withdrawn');

/** @throws {Refusal} also when the claim would have too many documents, or too large ones */
function checkAddition({ stage, documents }: ClaimState, added: DocumentsInput): void {
  if (stage === 'withdrawn') throw refuse('claim_withdrawn', 'The claim is withdrawn');
  if (documents.length + added.length > MAX_CLAIM_DOCUMENTS)
    throw wrongField(
      'documents',
      `the claim must have at most ${MAX_CLAIM_DOCUMENTS} documents, and has ${documents.length}`,
    );
  if (bytesOf(documents) + sizeOf(added) > MAX_CLAIM_BYTES)
    throw wrongField('documents', 'the documents of the claim must have at most 50 MiB in all');
}

export const addClaimDocuments = defineChange({
  ...changeOfClaim,
  name: 'AddClaimDocuments',
  summary: 'Adds documents to a claim that is not withdrawn.',
  description:
    'Adds documents to a claim that is not withdrawn, by its id or reference number. A claim has at most 100 documents with 50 MiB in all; the whole body of a request has at most 10 MiB. The same document again is one more entry with the same `sha256`.',
  input: z.strictObject({ claim_id: claimIdOrReference, documents: documentsInput.min(1, 'must not be empty') }),
  example: {
    claim_id: '579db168-a144-5897-b695-4d855516fa73',
    documents: [{ document_name: 'invoice.txt', evidence_type: 'invoice', blob: 'SW52b2ljZSAwODE1' }],
  },
  response: claimStatusSchema,
  errors: [...findClaimErrors, ...refuse.codes],
  roles: CLAIM_PARTIES,
  creates: true,
  lookUp: async ({ documents }, context, { state }) => {
    checkAddition(state, documents);
    return { stored: await saveUploadedDocuments(documents, context.now, context) };
  },
  decide(state, { stored, now }) {
    const data = { effectiveAt: dayIn(state.timeZone, now), ...claimIds(state), documents: [...stored] };
    return [{ type: ClaimDocumentsAdded.type, data }];
  },
  result: claimStatusResult,
});

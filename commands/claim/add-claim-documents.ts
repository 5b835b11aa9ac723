import { z } from 'zod';
import { ClaimDocumentsAdded } from '#domain/claim/claim-events.ts';
import { type ClaimState, claimIds } from '#domain/claim/claim.ts';
import { dayIn } from '#domain/values/dates.ts';
import { Refusal, wrongField } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { type DocumentsInput, documentsInput, MAX_DOCUMENTS, saveDocuments, sizeOf } from './documents.ts';
import { claimStatusResult } from './claim-checks.ts';
import { changeOfClaim, claimIdOrReference } from './find-claim.ts';

/** Limit of all documents of a claim. */
const MAX_CLAIM_BYTES = 50 * 1024 * 1024;

/** @throws {Refusal} `claim_withdrawn`; `invalid_request` when the claim would have too many documents, or too large ones */
function checkAddition({ stage, documents }: ClaimState, added: DocumentsInput): void {
  if (stage === 'withdrawn') throw new Refusal('claim_withdrawn', 'The claim is withdrawn');
  if (documents.length + added.length > MAX_DOCUMENTS)
    throw wrongField(
      'documents',
      `the claim must have at most ${MAX_DOCUMENTS} documents, and has ${documents.length}`,
    );
  const stored = documents.reduce((sum, { bytes }) => sum + bytes, 0);
  if (stored + sizeOf(added) > MAX_CLAIM_BYTES)
    throw wrongField('documents', 'the documents of the claim must have at most 50 MiB in all');
}

export const addClaimDocuments = defineChange({
  ...changeOfClaim,
  name: 'AddClaimDocuments',
  summary: 'Adds documents to a claim that is not withdrawn.',
  input: z.strictObject({ claim_id: claimIdOrReference, documents: documentsInput.min(1, 'must not be empty') }),
  roles: ['merchant', 'admin'],
  creates: true,
  lookUp: async ({ documents }, context, { state }) => {
    checkAddition(state, documents);
    return { stored: await saveDocuments(documents, context.now, context) };
  },
  decide(state, { stored, now }) {
    const data = { effectiveAt: dayIn(state.timeZone, now), ...claimIds(state), documents: [...stored] };
    return [{ type: ClaimDocumentsAdded.type, data }];
  },
  result: claimStatusResult,
});

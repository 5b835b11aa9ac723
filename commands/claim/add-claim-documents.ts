import { z } from 'zod';
import { ClaimDocumentsAdded, type ClaimEvent, type StoredClaimDocument } from '../../src/domain/claim/claim-events.ts';
import { type ClaimState, claim, claimIds, claimTags } from '../../src/domain/claim/claim.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import { dayIn } from '../../src/domain/values/dates.ts';
import { Refusal, wrongField } from '../../src/domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { type DocumentsInput, documentsInput, MAX_DOCUMENTS, saveDocuments, sizeOf } from './documents.ts';
import { claimStatusResult } from './claim-moves.ts';
import { claimKey, findClaim } from './find-claim.ts';

/** Limit of all documents of a claim. */
const MAX_CLAIM_BYTES = 50 * 1024 * 1024;

/** @throws {Refusal} `claim_resolved`; `invalid_request` when the claim would have too many documents, or too large ones */
function checkAddition({ status, stage, documents }: ClaimState, added: DocumentsInput): void {
  if (status === 'resolved') throw new Refusal('claim_resolved', `The claim is ${stage}`);
  if (documents.count + added.length > MAX_DOCUMENTS)
    throw wrongField('documents', `the claim must have at most ${MAX_DOCUMENTS} documents, and has ${documents.count}`);
  if (documents.bytes + sizeOf(added) > MAX_CLAIM_BYTES)
    throw wrongField('documents', 'the documents of the claim must have at most 50 MiB in all');
}

interface Addition {
  readonly documents: readonly StoredClaimDocument[];
  /** In the zone of the claim. */
  readonly today: Day;
}

/** Adds documents that passed `checkAddition`. */
function decideAddition(state: ClaimState, { documents, today }: Addition): readonly NewEvent<ClaimEvent>[] {
  const data = { effectiveAt: today, ...claimIds(state), documents: [...documents] };
  return [{ type: ClaimDocumentsAdded.type, data }];
}

export const addClaimDocuments = defineCommand({
  name: 'AddClaimDocuments',
  summary: 'Adds documents to a claim that is not resolved.',
  input: z.strictObject({ claim_id: claimKey, documents: documentsInput.min(1, 'must not be empty') }),
  roles: ['merchant', 'admin'],
  creates: true,
  takesIfMatch: true,
  aggregate: claim,
  decide: decideAddition,
  handle: async ({ claim_id, documents: added }, context) => {
    const found = await findClaim(context, claim_id);
    context.checkIfMatch(found);
    checkAddition(found.state, added);
    const documents = await saveDocuments(added, context.now, context);
    const today = dayIn(found.state.timeZone, context.now);
    return { target: found, events: decideAddition(found.state, { documents, today }), tags: claimTags(found.state) };
  },
  result: claimStatusResult,
});

import { z } from 'zod';
import { day } from '#event-sourcing/time.ts';
import { ClaimNoteAdded, ClaimRevised } from '#domain/claim/claim-events.ts';
import { type ClaimState, claimIds } from '#domain/claim/claim.ts';
import { charactersOf, CLAIM_PARTIES, MAX_NOTE_CHARACTERS, MAX_NOTES } from '#domain/claim/claim-commands.ts';
import { canonicalMoney, moneyNotNegativeInput } from '#domain/values/money.ts';
import { isApproved } from '#domain/claim/stages.ts';
import { paidOf } from '#domain/claim/settlement.ts';
import { wrongField } from '#domain/refusals.ts';
import { changesAnything, GIVE_A_CHANGE } from '../shared/changes.ts';
import { defineChange } from '../command.ts';
import { recordDueChanges } from '../policy/due-changes.ts';
import { line, resourceId, text } from '../shared/fields.ts';
import { AT_ANOTHER_STAGE, checkOpen, claimMove, moveErrors, repeatableMove } from './claim-checks.ts';
import { policyOf } from './claim-moves.ts';
import { coverageOf, coverOfFiling, coverOfFilingErrors } from './filing.ts';
import { claimIdOrReference, findClaimErrors } from './find-claim.ts';

/** What a payment fixes. */
const FIXED_BY_PAYMENT = ['incident_date', 'coverage_name'] as const;

const revision = repeatableMove('revised');

/**
 * Corrects what is claimed, judged as a filing. An approval and an offer are void then; after a payment amount and
 * description alone can be corrected.
 */
export const reviseClaim = defineChange({
  ...revision,
  name: 'ReviseClaim',
  summary: 'Corrects what is claimed.',
  description: `Corrects what is claimed, judged as a filing. An approval and an offer are void then, and the claim is under review again. After a payment amount and description alone can be corrected. ${AT_ANOTHER_STAGE}`,
  input: z
    .strictObject({
      claim_id: resourceId,
      claim_amount: moneyNotNegativeInput.optional(),
      incident_date: day.optional(),
      incident_description: text(5000).optional(),
      coverage_name: line(255).optional(),
      reason: text(2000),
    })
    .refine(changesAnything('claim_id', 'reason'), GIVE_A_CHANGE),
  example: {
    claim_id: 'ad2e03fd-8cbf-5a0e-bfec-b7792d0351a1',
    claim_amount: '48000.00',
    reason: 'The invoice is higher',
  },
  errors: [...moveErrors, ...coverOfFilingErrors],
  // As for a filing: the incident may fall into a renewal that is due.
  prepare: async (request, context, found) => {
    const current = await revision.prepare(request, context, found);
    await recordDueChanges(context, await policyOf(current.state, context), false);
    return current;
  },
  lookUp: async (request, context, found) => ({
    ...revision.lookUp(request, context, found),
    policyState: (await policyOf(found.state, context)).state,
  }),
  decide(state, { today, policyState, reason, ...changes }) {
    checkOpen(state, 'revised');
    const fixed = paidOf(state) > 0n ? FIXED_BY_PAYMENT.find((field) => changes[field] !== undefined) : undefined;
    if (fixed !== undefined) throw wrongField(fixed, 'must be left out: something was paid already');
    const { incident_date: incidentDate = state.details.incidentDate, coverage_name: name } = changes;
    const details = {
      ...state.details,
      incidentDate,
      incidentDescription: changes.incident_description ?? state.details.incidentDescription,
      amount: changes.claim_amount === undefined ? state.details.amount : canonicalMoney(changes.claim_amount),
    };
    const cover = coverOfFiling(policyState, incidentDate, today, 'incident_date');
    const keeps = name === undefined && incidentDate === state.details.incidentDate;
    const coverage = keeps ? state.coverage : coverageOf(cover, name ?? state.coverage?.name, 'coverage_name');
    const isReviewedAgain = isApproved(state.stage);
    const data = { ...claimIds(state), details, coverage, reason, isReviewedAgain, effectiveAt: today };
    return [{ type: ClaimRevised.type, data }];
  },
});

/** @throws {Refusal} when the claim would have too many notes, or too long ones; reasons of moves do not count */
function checkNote({ noteEntries }: ClaimState, added: string): void {
  if (noteEntries.length === MAX_NOTES) throw wrongField('text', `the claim must have at most ${MAX_NOTES} notes`);
  if (charactersOf(noteEntries) + added.length > MAX_NOTE_CHARACTERS)
    throw wrongField('text', `the notes of the claim must have at most ${MAX_NOTE_CHARACTERS} characters in all`);
}

/** The path and the body of `POST /api/v1/claims/{id}/notes`. */
export const addClaimNote = defineChange({
  ...claimMove,
  name: 'AddClaimNote',
  summary: 'Adds a note to a claim.',
  description:
    'Adds a note to a claim, by its id or reference number. `note_entries` show who wrote it, by the name of the person, else by the label of the key. A claim has at most 1,000 notes with 100,000 characters in all.',
  input: z.strictObject({ claim_id: claimIdOrReference, text: text(2000) }),
  example: {
    claim_id: '579db168-a144-5897-b695-4d855516fa73',
    text: 'The claimant sends the invoice on Monday',
  },
  errors: findClaimErrors,
  roles: CLAIM_PARTIES,
  creates: true,
  decide(state, { today, text: added }) {
    checkNote(state, added);
    return [{ type: ClaimNoteAdded.type, data: { ...claimIds(state), text: added, effectiveAt: today } }];
  },
});

import { z } from 'zod';
import { apiKey, apiKeyStream } from '#domain/api-key/api-key.ts';
import { ClaimAssigned } from '#domain/claim/claim-events.ts';
import { type ClaimState, claimIds } from '#domain/claim/claim.ts';
import { CLAIM_HANDLERS } from '#domain/claim/claim-commands.ts';
import { person, personStream } from '#domain/person/person.ts';
import { wrongField } from '#domain/refusals.ts';
import type { Role } from '#domain/values/rights.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { type CommandContext, defineChange } from '../command.ts';
import { line, resourceId } from '../shared/fields.ts';
import { claimMove, claimStatusResult, claimStatusSchema } from './claim-checks.ts';
import { findClaimErrors } from './find-claim.ts';

/** Who works a claim, as the command looks the person or key up. */
interface Handler {
  /** Of the person, also where a key of the person was named. */
  readonly id: string;
  readonly role: Role;
  readonly providerId: string | null;
}

/** Returns a person who was not removed, or a key that was neither revoked nor has expired. */
async function handlerOf(context: CommandContext, id: string): Promise<Handler | undefined> {
  const personId = uuid.safeParse(id.toLowerCase());
  if (personId.success) {
    const { state } = await context.load(person, personStream(personId.data));
    return state === undefined || state.isRemoved ? undefined : { ...state, id: state.personId };
  }
  const { state } = await context.load(apiKey, apiKeyStream(id));
  if (state === undefined || state.status === 'revoked') return undefined;
  if (state.expiresAt !== null && state.expiresAt <= context.now) return undefined;
  if (state.personId !== null) return await handlerOf(context, state.personId);
  const { grant } = state;
  return { id, role: grant.role, providerId: grant.role === 'insurer' ? grant.providerId : null };
}

/** @throws {Refusal} unless the person or key works claims of the platform or of the insurer of the claim */
function requireHandler({ insurer }: Pick<ClaimState, 'insurer'>, handler: Handler | undefined): string {
  const works = handler !== undefined && (CLAIM_HANDLERS as readonly Role[]).includes(handler.role);
  if (works && (handler.providerId === null || handler.providerId === insurer.id)) return handler.id;
  throw wrongField('assignee', 'must be a person or a key that works claims of the platform or of the insurer');
}

export const assignClaim = defineChange({
  ...claimMove,
  name: 'AssignClaim',
  summary: 'Assigns a claim to a person or a key, or to no one.',
  description:
    'Assigns a claim, at any stage, to a person or a key of the platform (`claims`, `admin`) or of its insurer, by the id; a key of a person stands for the person. `null` ends the assignment. The assignee that the claim already has records nothing. Merchants do not see it.',
  input: z.strictObject({
    claim_id: resourceId,
    assignee: line(255).nullable().meta({ description: 'Id of the person or of the key' }),
  }),
  example: { claim_id: '579db168-a144-5897-b695-4d855516fa73', assignee: 'b63747e4-3c66-542a-b59f-e230e6673c9d' },
  response: claimStatusSchema.extend({ assignee: z.string().nullable() }),
  errors: findClaimErrors,
  lookUp: async (input, context, found) => ({
    ...claimMove.lookUp(input, context, found),
    handler: input.assignee === null ? null : await handlerOf(context, input.assignee),
  }),
  decide(state, { today, handler }) {
    const assignee = handler === null ? null : requireHandler(state, handler);
    if (assignee === state.assignee) return [];
    return [{ type: ClaimAssigned.type, data: { ...claimIds(state), assignee, effectiveAt: today } }];
  },
  result: ({ state }) => ({ ...claimStatusResult({ state }), assignee: state.assignee }),
});

import { z } from 'zod';
import {
  type ClaimEvent,
  type ClaimState,
  claim,
  claimStream,
  MOVES,
  type Stage,
  statusOf,
} from '../../src/domain/claim/claim.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { canonicalMoney, moneyNotNegativeInput } from '../../src/domain/values/money.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import {
  type ExecutedCommand,
  type CommandDefinition,
  defineCommand,
  stateOf,
} from '../../src/command-handling/command.ts';
import { existing } from '../../src/command-handling/existing.ts';
import { resourceId, text } from '../shared/fields.ts';
import { tagsOf, type ClaimIds, idsOf } from './claim-ids.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';

/** What makes one move different from the others. */
interface Move<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly summary: string;
  /** What is told besides the claim. */
  readonly fields: Shape;
  readonly decide: (
    state: ClaimState,
    told: z.output<z.ZodObject<Shape, z.core.$strict>>,
  ) => readonly NewEvent<ClaimEvent>[];
}

/** Only the moves of the table (`decisions`: Customers and claims). @throws {Refusal} `claim_move_not_allowed` */
export function checkMove(state: ClaimState, to: Stage): ClaimIds {
  if (!MOVES[state.stage].includes(to)) {
    const allowed = MOVES[state.stage].join(' or ') || 'nothing else';
    throw new Refusal('claim_move_not_allowed', `A claim that is ${state.stage} can become ${allowed}, not ${to}`);
  }
  return idsOf(state);
}

/** A note that joins the claim's notes. */
export const note = text(2000);
/** An amount that a move tells; it does not change what was claimed. */
export const amount = moneyNotNegativeInput;

/** An amount as events store it; null when it was not told. */
export function storedAmount(told: string | undefined): string | null {
  return told === undefined ? null : canonicalMoney(told);
}

/** A move of a claim, for administrators. */
export function defineMove<Shape extends z.ZodRawShape>(move: Move<Shape>) {
  const input = z.strictObject({ claim_id: resourceId, ...move.fields });
  type MoveInput = z.output<typeof input>;
  const definition: CommandDefinition<typeof input, ClaimEvent> = {
    name: move.name,
    summary: move.summary,
    input,
    roles: ['admin'],
    inEnvironment: false,
    creates: false,
    changesOneStream: true,
    handle: async (told: MoveInput, context) => {
      const { claim_id: claimId } = told as { readonly claim_id: string };
      const loaded = await context.loadTarget(claim, claimStream(claimId));
      const found = existing(loaded, 'claim_not_found', 'There is no such claim');
      context.checkIfMatch(found);
      const events = move.decide(found.state, told as z.output<z.ZodObject<Shape, z.core.$strict>>);
      return await recordDecision(context, found, events, tagsOf(idsOf(found.state)));
    },
    result: ({ history }: ExecutedCommand<ClaimEvent>) => ({ claim_status: statusOf(stateOf(claim, history).stage) }),
  };
  return defineCommand(definition);
}

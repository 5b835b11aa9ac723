import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  acceptClaimOffer,
  approveClaim,
  denyClaim,
  payClaim,
  rejectClaimOffer,
  reviewClaim,
  sendClaimForApproval,
  sendClaimOffer,
} from '../../commands/claim/claim-moves.ts';
import { submitClaim } from '../../commands/claim/submit-claim.ts';
import type { ClaimResource } from '../../projections/claims/claim-resource.ts';
import { claimResourceOf } from '../../projections/resources.ts';
import type { AnyCommand } from '../../src/command-handling/command.ts';
import { type ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import { claimStream } from '../../src/domain/claim/claim.ts';
import { MOVES, type Stage, statusOf } from '../../src/domain/claim/stages.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { formatMoney, parseMoney } from '../../src/domain/values/money.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { givenMerchants, importPolicy } from '../support/imports.ts';
import { CommandHarness } from '../support/command-harness.ts';

interface Move {
  readonly command: AnyCommand;
  readonly fields: object;
  /** Index of an earlier command to repeat after this one. */
  readonly repeatIndex: number;
  readonly seconds: number;
}

const amount = fc.bigInt({ min: 0n, max: 120_00n }).map(formatMoney);
const note = fc
  .string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', 'b', ' ', 'é', '!') })
  .filter((text) => text.trim() !== '');
const moveBodies: readonly (readonly [AnyCommand, fc.Arbitrary<object>])[] = [
  [reviewClaim, fc.record({ note }, { requiredKeys: [] })],
  [sendClaimForApproval, fc.record({ note }, { requiredKeys: [] })],
  [approveClaim, fc.record({ approved_amount: amount }, { requiredKeys: [] })],
  [sendClaimOffer, fc.record({ offer_amount: amount }, { requiredKeys: [] })],
  [acceptClaimOffer, fc.constant({})],
  [rejectClaimOffer, fc.record({ reason: note })],
  [payClaim, fc.record({ paid_amount: amount }, { requiredKeys: [] })],
  [denyClaim, fc.record({ reason: note })],
];
const move: fc.Arbitrary<Move> = fc
  .oneof(...moveBodies.map(([command, body]) => body.map((fields) => ({ command, fields }))))
  .chain((wanted) =>
    fc.record({ repeatIndex: fc.nat(), seconds: fc.nat(100_000) }).map((more) => ({ ...wanted, ...more })),
  );

async function submitTestClaim(): Promise<{ readonly harness: CommandHarness; readonly claimId: string }> {
  const harness = new CommandHarness();
  await givenMerchants(harness);
  const { policyId } = await importPolicy(harness);
  const claim_details = { claim_type: 'theft', incident_date: '2026-02-01', claim_amount: '100.00' };
  const { result } = await harness.run(submitClaim, { policy_id: policyId, claim_details });
  return { harness, claimId: result.claim_id as string };
}

const claimResource = async (harness: CommandHarness, claimId: string) =>
  claimResourceOf((await harness.events(claimStream(claimId))) as RecordedEvent<ClaimEvent>[]);

/** Checks the invariants of a claim: every status change is in the transition table. */
function checkTimeline(stages: readonly Stage[]): void {
  expect(stages[0]).toBe('submitted');
  for (const [index, stage] of stages.slice(1).entries()) {
    expect(MOVES[stages[index] as Stage]).toContain(stage);
  }
}

/** Checks that no amount is higher than the one that limits it. */
function checkAmounts({ claim_amount, settlement }: ClaimResource): void {
  const { approved_amount, offer_amount, paid_amount } = settlement;
  const known = [claim_amount, approved_amount, offer_amount, paid_amount].flatMap((text) =>
    text === null ? [] : [parseMoney(text)],
  );
  expect(known).toEqual(known.toSorted((a, b) => Number(b - a)));
}

describe('Any sequence of commands on a claim', () => {
  test('only extends the timeline, and repeats change nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 30 }), async (moves) => {
        const { harness, claimId } = await submitTestClaim();
        const acceptedMoves: {
          readonly command: AnyCommand;
          readonly input: object;
          readonly key: string;
          readonly result: object;
        }[] = [];
        for (const [index, { command, fields, repeatIndex, seconds }] of moves.entries()) {
          harness.now = new Date(Date.parse(harness.now) + seconds * 1000).toISOString();
          const before = await claimResource(harness, claimId);
          const log = await harness.log();
          const input = { claim_id: claimId, ...fields };
          const key = `key ${index}`;
          try {
            const { result } = await harness.run(command, input, { key });
            acceptedMoves.push({ command, input, key, result });
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            expect(['claim_move_not_allowed', 'amount_too_high']).toContain(error.code);
            expect(await harness.log()).toEqual(log);
          }
          const after = await claimResource(harness, claimId);
          const names = after.claim_status_timeline.map(({ name }) => name);
          expect(after.claim_status_timeline.slice(0, before.claim_status_timeline.length)).toEqual(
            before.claim_status_timeline,
          );
          expect(names).toHaveLength(1 + acceptedMoves.length);
          checkTimeline(names);
          expect(after.claim_status).toBe(statusOf(names.at(-1) as Stage));
          expect(after.notes ?? '').toContain(before.notes ?? '');
          checkAmounts(after);
          const moved = { claim_status: '', claim_status_timeline: [], notes: '', settlement: '' };
          expect({ ...after, ...moved }).toEqual({ ...before, ...moved });
          const earlier = acceptedMoves[repeatIndex % Math.max(acceptedMoves.length, 1)];
          if (earlier === undefined) continue;
          const logBefore = await harness.log();
          const response = await harness.run(earlier.command, earlier.input, { key: earlier.key });
          expect(response).toMatchObject({ replayed: true, result: earlier.result });
          expect(await harness.log()).toEqual(logBefore);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('executes each concurrent command once or refuses it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 2, maxLength: 12 }), async (moves) => {
        const { harness, claimId } = await submitTestClaim();
        const responses = await Promise.allSettled(
          moves.map(({ command, fields }) => harness.run(command, { claim_id: claimId, ...fields })),
        );
        const names = (await claimResource(harness, claimId)).claim_status_timeline.map(({ name }) => name);
        checkTimeline(names);
        expect(names).toHaveLength(1 + responses.filter(({ status }) => status === 'fulfilled').length);
        for (const response of responses) {
          if (response.status === 'rejected')
            expect(['claim_move_not_allowed', 'amount_too_high']).toContain((response.reason as Refusal).code);
        }
      }),
      { numRuns: 100 },
    );
  });
});

import type { Claim, Term } from '../../../clients/typescript/src/index.ts';
import { Command } from '../actions/command.tsx';
import type { CommandProps } from '../actions/command-dialog.tsx';
import { type CommandName, HANDLERS } from '../actions/commands.ts';
import { QuickCommand } from '../actions/quick-command.tsx';
import { assigneeOf } from '../home/work.ts';
import { collect } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { claimTexts } from '../texts-claims.ts';
import { ClaimAmounts } from './claim-money.tsx';
import { ClaimObstacles, expectedAmount, termOf } from './claim-obstacles.tsx';

/** A claim, of which a view of the past has no `allowed_moves`, and who sees it. */
export interface ClaimWorkProps {
  readonly claim: Claim;
  readonly session: Session;
}
type Assignee = NonNullable<Claim['assignee']>;

/** What takes a claim on, in its order: the first that it allows is the next step. */
const STEPS = [
  'ReviewClaim',
  'SendClaimForApproval',
  'ApproveClaim',
  'SendClaimOffer',
  'AcceptClaimOffer',
  'PayClaim',
] as const;
/** What ends a claim. */
const ENDS: readonly CommandName[] = ['DenyClaim', 'WithdrawClaim'];
const MOVES: readonly CommandName[] = [
  'ReopenClaim',
  'ReviseClaim',
  ...ENDS,
  'RejectClaimOffer',
  ...STEPS.toReversed(),
];

/** A command on a claim: its button where the claim takes it from the person now. */
export function ClaimCommand({
  claim,
  session,
  given,
  isAllowed = true,
  ...rest
}: ClaimWorkProps & Pick<CommandProps, 'name'> & Partial<CommandProps>) {
  const { claim_id, claim_reference_number, allowed_moves } = claim;
  const move = allowed_moves.find(({ command }) => command === rest.name);
  return (
    <Command
      about={claim_reference_number}
      {...rest}
      session={session}
      id={claim_id}
      given={{ claim_id, ...given }}
      required={move?.fields ?? []}
      isAllowed={isAllowed && move !== undefined}
      guarded={claim}
    />
  );
}

/** What a person does with a claim: whose it is, its moves, and the next step last, as the strong button. */
export function ClaimActions({ claim, terms, session }: ClaimWorkProps & { readonly terms: readonly Term[] }) {
  const allowed = new Set(claim.allowed_moves.map(({ command }) => command));
  const next = STEPS.find((name) => allowed.has(name));
  const { claim_details: details, settlement } = claim;
  const coverages = termOf(claim, terms)?.claim_payments.map(({ coverage_name: name }) => ({
    value: name,
    label: name,
  }));
  const initial: Partial<Record<CommandName, object>> = {
    ApproveClaim: { approved_amount: expectedAmount(claim, terms), coverage_name: details.coverage_name },
    SendClaimOffer: { offer_amount: settlement.approved_amount },
    PayClaim: { paid_amount: settlement.outstanding },
  };
  return (
    <>
      <Assign claim={claim} session={session} />
      {MOVES.map((name) => (
        <ClaimCommand
          key={name}
          claim={claim}
          session={session}
          name={name}
          look={name === next ? 'primary' : ENDS.includes(name) ? 'danger' : 'plain'}
          initial={{ ...initial[name] }}
          notice={
            initial[name] !== undefined && (
              <>
                <ClaimObstacles claim={claim} terms={terms} session={session} />
                <ClaimAmounts claim={claim} />
              </>
            )
          }
          choices={coverages === undefined ? {} : { coverage_name: coverages }}
        />
      ))}
    </>
  );
}

/** Assigns a claim to the person at once, or to others who work claims. */
function Assign({ claim, session }: ClaimWorkProps) {
  const { client, me } = session;
  const own = assigneeOf(session);
  const { assignee, allowed_moves, test_mode } = claim;
  const isAllowed = allowed_moves.some(({ command }) => command === 'AssignClaim');
  const others = useRequest(`${isAllowed}`, async (options): Promise<readonly Assignee[]> => {
    if (!isAllowed) return [];
    if (me.role === 'admin') {
      const persons = await collect(client.admin.persons({}, options));
      const handlers = persons.filter((one) => one.removed_at === null && HANDLERS.includes(one.role));
      return handlers.map(({ person_id: id, name: label }) => ({ id, label }));
    }
    // Who has open claims: persons are listed for administrators alone.
    const claims = await collect(client.claims.list({ claim_status: 'open', test_mode }, { ...options, max: 100 }));
    return claims.flatMap((one) => one.assignee ?? []);
  });
  const labels = new Map([...(others.value ?? []), assignee].map((one) => [one?.id ?? '', one?.label ?? one?.id]));
  if (own !== undefined) labels.set(own, claimTexts.meNamed(me.person?.name ?? me.label ?? texts.me));
  if (assignee === null) labels.delete('');
  else labels.set('', claimTexts.noOne);
  return (
    <>
      {isAllowed && own !== undefined && assignee?.id !== own && <AssignToMe claim={claim} session={session} />}
      <ClaimCommand
        claim={claim}
        session={session}
        name="AssignClaim"
        initial={{ assignee: assignee?.id ?? own }}
        choices={{ assignee: Array.from(labels, ([value, label = value]) => ({ value, label })) }}
      />
    </>
  );
}

type AssignableClaim = Pick<Claim, 'claim_id' | 'claim_reference_number'>;

/** Assigns a claim to the person who is signed in. */
export function AssignToMe({ claim, session }: { readonly claim: AssignableClaim; readonly session: Session }) {
  const { claim_id, claim_reference_number } = claim;
  return (
    <QuickCommand
      session={session}
      name="AssignClaim"
      label={claimTexts.assignToMe}
      about={claim_reference_number}
      body={{ claim_id, assignee: assigneeOf(session) }}
      guarded={claim}
    />
  );
}

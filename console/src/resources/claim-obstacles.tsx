import type { Claim, Term } from '../../../clients/typescript/src/index.ts';
import { Icon } from '../components/icon.tsx';
import { formatMoney, fromMinorUnits, toMinorUnits } from '../format.ts';
import { isHandler } from '../home/work.ts';
import type { Session } from '../session.ts';
import { claimTexts } from '../texts-claims.ts';

/** Returns the term of the incident; undefined where none is agreed. */
export function termOf({ claim_details }: Claim, terms: readonly Term[]): Term | undefined {
  const { incident_date: day } = claim_details;
  return terms.find(({ from, through, state }) => from <= day && day <= through && state !== 'withdrawn');
}

/** Returns what is left of the limit of the coverage; undefined without one. */
function limitLeftOf(claim: Claim, terms: readonly Term[]): bigint | undefined {
  const { coverage_name: name } = claim.claim_details;
  const left = termOf(claim, terms)?.claim_payments.find(({ coverage_name }) => coverage_name === name)?.limit_left;
  return left === undefined || left === null ? undefined : toMinorUnits(left) + paidOf(claim);
}

function paidOf({ settlement }: Claim): bigint {
  return toMinorUnits(settlement.paid_amount ?? '0.00');
}

/** Returns what is claimed after the deductible; undefined where no amount is claimed. */
function claimedOf({ claim_amount, settlement }: Claim): bigint | undefined {
  return claim_amount === null ? undefined : toMinorUnits(claim_amount) - toMinorUnits(settlement.deductible ?? '0.00');
}

/** Returns what an approval takes at most: what is claimed after the deductible, within what is left of the limit. */
export function expectedAmount(claim: Claim, terms: readonly Term[]): string | undefined {
  const [claimed, left] = [claimedOf(claim), limitLeftOf(claim, terms)];
  if (claimed === undefined) return undefined;
  const amount = left !== undefined && left < claimed ? left : claimed;
  return amount > 0n ? fromMinorUnits(amount) : undefined;
}

interface ClaimObstaclesProps {
  readonly claim: Claim;
  readonly terms: readonly Term[];
  readonly session: Session;
}

/** What is in the way of approving and paying the claim. */
export function ClaimObstacles(props: ClaimObstaclesProps) {
  return obstaclesOf(props).map((text) => (
    <p key={text} class="say warn">
      <Icon name="warn" /> {text}
    </p>
  ));
}

function obstaclesOf({ claim, terms, session }: ClaimObstaclesProps): readonly string[] {
  const { claim_status, claim_details, settlement, currency, date_resolved } = claim;
  const { authority, access } = session.me;
  if (!isHandler(session) || date_resolved !== null) return [];
  if (access === 'read') return [claimTexts.readOnly];
  const money = (amount: bigint): string => formatMoney(fromMinorUnits(amount), currency);
  const isPending = claim_status === 'pending';
  const payable = paidOf(claim) + toMinorUnits(settlement.outstanding ?? '0.00');
  const amount = isPending ? toMinorUnits(expectedAmount(claim, terms) ?? '0.00') : payable;
  const bound = toMinorUnits((isPending ? authority?.approve_up_to : authority?.pay_up_to) ?? fromMinorUnits(amount));
  const left = limitLeftOf(claim, terms);
  const isOther = authority !== null && authority.currency !== currency;
  return [
    isOther && claimTexts.otherCurrency(authority.currency, currency),
    !isOther && amount > bound && claimTexts.aboveAuthority(money(amount), money(bound)),
    isPending && claim_details.coverage_name === null && claimTexts.coverageMissing,
    isPending && left !== undefined && left < (claimedOf(claim) ?? 0n) && claimTexts.limitBelow(money(left)),
  ].filter((text) => text !== false);
}

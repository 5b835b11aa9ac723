import type { Claim, Term } from '../../../clients/typescript/src/index.ts';
import { Icon } from '../components/icon.tsx';
import { formatMoney, fromMinorUnits, toMinorUnits } from '../format.ts';
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
  return (
    <>
      {obstaclesOf(props).map((text) => (
        <p key={text} class="say warn">
          <Icon name="warn" /> {text}
        </p>
      ))}
    </>
  );
}

function obstaclesOf({ claim, terms, session: { me } }: ClaimObstaclesProps): readonly string[] {
  const { claim_status, claim_amount, claim_details, settlement, currency } = claim;
  if (me.role === 'merchant' || me.role === 'auditor' || claim.date_resolved !== null) return [];
  if (me.access === 'read') return [claimTexts.readOnly];
  const money = (amount: bigint | string): string =>
    formatMoney(typeof amount === 'string' ? amount : fromMinorUnits(amount), currency);
  const found: string[] = [];
  const authority = me.authority ?? { currency, approve_up_to: null, pay_up_to: null };
  if (authority.currency !== currency) found.push(claimTexts.otherCurrency(authority.currency, currency));
  const isAbove = (amount: bigint, bound: string | null): bound is string =>
    authority.currency === currency && bound !== null && amount > toMinorUnits(bound);
  if (claim_status === 'pending') {
    if (claim_details.coverage_name === null) found.push(claimTexts.coverageMissing);
    if (claim_amount === null) found.push(claimTexts.amountMissing);
    const left = limitLeftOf(claim, terms);
    if (left !== undefined && left < (claimedOf(claim) ?? 0n)) found.push(claimTexts.limitBelow(money(left)));
    const expected = expectedAmount(claim, terms) ?? '0.00';
    const { approve_up_to: bound } = authority;
    if (isAbove(toMinorUnits(expected), bound)) found.push(claimTexts.approvalAbove(money(expected), money(bound)));
  } else {
    const all = paidOf(claim) + toMinorUnits(settlement.outstanding ?? '0.00');
    const { pay_up_to: bound } = authority;
    if (isAbove(all, bound)) found.push(claimTexts.paymentAbove(money(all), money(bound)));
  }
  return found;
}

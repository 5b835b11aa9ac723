import type { ComponentChildren } from 'preact';
import type { Claim } from '../../../clients/typescript/src/index.ts';
import { Card } from '../components/card.tsx';
import { Fields } from '../components/values.tsx';
import { formatDayOfYear, formatMoney, toMinorUnits } from '../format.ts';
import { texts } from '../texts.ts';

/** The money of a claim: what is paid and outstanding against the limit of its coverage, and the amounts. */
export function ClaimMoney({ claim, children }: { readonly claim: Claim; readonly children: ComponentChildren }) {
  const { coverage_name } = claim.claim_details;
  return (
    <Card title={texts.money} aside={coverage_name !== null && <bdi class="small quiet">{coverage_name}</bdi>}>
      <MoneyBar claim={claim} />
      {children}
      <ClaimAmounts claim={claim} />
    </Card>
  );
}

/** The amounts of a claim, as far as they are known. */
export function ClaimAmounts({ claim }: { readonly claim: Claim }) {
  const { currency, settlement, claim_amount } = claim;
  const amounts = [
    [texts.claimed, formatMoney(claim_amount, currency)],
    [texts.limit, limitOf(claim)],
    [texts.deductible, formatMoney(settlement.deductible, currency)],
    [texts.approved, formatMoney(settlement.approved_amount, currency)],
    [texts.offer, formatMoney(settlement.offer_amount, currency)],
    [texts.paid, formatMoney(settlement.paid_amount, currency)],
    [texts.outstanding, formatMoney(settlement.outstanding, currency)],
  ] as const;
  return <Fields fields={Object.fromEntries(amounts.filter(([, amount]) => amount !== null && amount !== '–'))} />;
}

/** Returns the limit, which is known once the coverage is; what is left of it is on the page of the policy. */
function limitOf({ claim_details, settlement, currency }: Claim): string | null {
  if (settlement.limit !== null) return formatMoney(settlement.limit, currency);
  return claim_details.coverage_name === null ? null : texts.noLimit;
}

/** Nothing is drawn without a limit and a claimed or approved amount: a bar needs an end. */
function MoneyBar({ claim: { settlement, claim_amount, currency } }: { readonly claim: Claim }) {
  const amounts = {
    paid: minor(settlement.paid_amount),
    outstanding: minor(settlement.outstanding),
    claimed: minor(claim_amount),
    limit: minor(settlement.limit),
  };
  const end = [amounts.limit, amounts.claimed, amounts.paid + amounts.outstanding].reduce((a, b) => (a > b ? a : b));
  if (end <= 0n) return null;
  const share = (amount: bigint): number => Number((amount * 10_000n) / end) / 100;
  const text = [
    [texts.paid, settlement.paid_amount],
    [texts.outstanding, settlement.outstanding],
    [texts.claimed, claim_amount],
    [texts.limit, settlement.limit],
  ]
    .filter(([, amount]) => amount !== null)
    .map(([name, amount]) => `${name} ${formatMoney(amount, currency)}`);
  return (
    <svg class="bars" role="img" aria-label={text.join(', ')}>
      <rect class="base" width="100%" y="9" height="16" />
      <rect class="paid" width={`${share(amounts.paid)}%`} y="9" height="16" />
      <rect class="current" x={`${share(amounts.paid)}%`} width={`${share(amounts.outstanding)}%`} y="9" height="16" />
      {claim_amount !== null && (
        <line class="claimed" x1={`${share(amounts.claimed)}%`} x2={`${share(amounts.claimed)}%`} y1="3" y2="31" />
      )}
    </svg>
  );
}

function minor(amount: string | null): bigint {
  return amount === null ? 0n : toMinorUnits(amount);
}

/** The steps of a claim, by the names of its timeline. */
const STEPS = {
  submitted: ['submitted'],
  review: ['under review', 'pending approval', 'reopened'],
  approved: ['approved'],
  offer: ['offer sent', 'offer accepted', 'offer rejected'],
  paid: ['part paid', 'paid', 'payment reversed'],
} as const;

/** How far a claim is: what it went through, where it is, and since when. */
export function ClaimSteps({ claim: { claim_status_timeline: timeline } }: { readonly claim: Claim }) {
  const last = timeline.at(-1);
  if (last === undefined) return null;
  const names = Object.entries<readonly string[]>(STEPS);
  const current = names.findIndex(([, stages]) => stages.includes(last.name));
  // Denied and withdrawn end a claim wherever it is.
  const reached = current === -1 ? names.length : current;
  return (
    <ol class="steps small quiet" aria-label={texts.stages}>
      {names.map(([step, stages], index) => {
        const entry = timeline.findLast(({ name }) => stages.includes(name));
        const isNow = index === current;
        const isDone = entry !== undefined && (index < reached || (isNow && last.name === 'paid'));
        return (
          <li key={step} class={isDone ? 'done' : isNow ? 'now' : ''} aria-current={isNow ? 'step' : undefined}>
            <span>{isNow ? sentence(last.name) : texts.claimSteps[step as keyof typeof STEPS]}</span>
            {entry !== undefined && index <= reached && <span>{formatDayOfYear(entry.time_stamp)}</span>}
          </li>
        );
      })}
      {current === -1 && (
        <li class="now" aria-current="step">
          <span>{sentence(last.name)}</span>
          <span>{formatDayOfYear(last.time_stamp)}</span>
        </li>
      )}
    </ol>
  );
}

function sentence(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

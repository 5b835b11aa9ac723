import { addFigures, type Figures, figuresOf, figuresView, NO_FIGURES } from '../insurance-model/book-figures.ts';
import type { ClaimModel } from './claim-model.ts';
import { outstandingOf, type PastClaim } from './claim-state.ts';
import { isNamed, placeOf } from '../insurance-model/payments.ts';
import type { PolicyModel } from '../insurance-model/policy.ts';
import { agreedTerms, type PastPolicy, type PointInTime, policyAt, termInForce } from '../insurance-model/state.ts';
import { format } from '../insurance-model/timeline.ts';

/** A policy with what a row is about besides its figures, and its claims. */
export interface BookedPolicy {
  readonly model: PolicyModel;
  readonly claims: readonly ClaimModel[];
  readonly customerId: string;
  /** Group and currency. */
  readonly key: string;
}

interface Row {
  readonly holders: Set<string>;
  policies: number;
  figures: Figures;
  filed: number;
  paid: number;
  amountPaid: bigint;
  outstanding: bigint;
}

/** Returns the rows of the portfolio at a point in time, by group and currency. */
export function expectedPortfolio(policies: readonly BookedPolicy[], point: PointInTime) {
  const rows = new Map<string, Row>();
  for (const { model, claims, customerId, key } of policies) {
    const noClaims = { filed: 0, paid: 0, amountPaid: 0n, outstanding: 0n };
    const row: Row = rows.get(key) ?? { holders: new Set<string>(), policies: 0, figures: NO_FIGURES, ...noClaims };
    rows.set(key, row);
    const past = policyAt(model, point);
    if (typeof past !== 'string') {
      row.figures = addFigures(row.figures, figuresOf(past));
      if (termInForce(past.state, past.day) !== undefined) {
        row.policies += 1;
        row.holders.add(customerId);
      }
    }
    for (const claim of claims) {
      const then = claim.at(point);
      if (typeof then === 'string') continue;
      row.filed += 1;
      row.paid += then.isPaid ? 1 : 0;
      row.amountPaid += then.paid;
      row.outstanding += outstandingAt(
        past,
        then,
        claims.filter((other) => other !== claim).map((other) => other.at(point)),
      );
    }
  }
  const shown = [...rows].filter(([, { policies: inForce, figures, filed }]) => {
    return inForce > 0 || filed > 0 || Object.values(figures).some((figure) => figure !== 0n);
  });
  return shown.map(([key, row]) => asRow(key, row)).toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** @param others the other claims of the policy */
function outstandingAt(past: PastPolicy | string, then: PastClaim, others: readonly (PastClaim | string)[]): bigint {
  const placeIn = ({ state }: PastClaim) =>
    typeof past === 'string'
      ? undefined
      : placeOf({ state: past.state, agreed: agreedTerms(past.state) }, state.incident);
  const place = placeIn(then);
  const name = then.state.coverage?.coverage_name ?? '';
  const paid = others.map((other) => {
    if (typeof other === 'string' || !isNamed(other.state.coverage?.coverage_name ?? null, name)) return 0n;
    return placeIn(other)?.term.number === place?.term.number ? other.paid : 0n;
  });
  return outstandingOf(
    then,
    place !== undefined,
    paid.reduce((sum, each) => sum + each, 0n),
  );
}

function asRow(key: string, { holders, policies, figures, filed, paid, amountPaid, outstanding }: Row) {
  return {
    key,
    policies_in_force: policies,
    ...figuresView(figures),
    customers: holders.size,
    claims_filed: filed,
    claims_paid: paid,
    amount_paid: format(amountPaid),
    claims_outstanding: format(outstanding),
  };
}

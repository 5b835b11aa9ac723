import type { Policy, Term } from '../../../clients/typescript/src/index.ts';
import { Table } from '../components/table.tsx';
import { Tag } from '../components/badge.tsx';
import { Day, Days, Fields } from '../components/values.tsx';
import { formatDay, formatMoney, labelOf, lastDay } from '../format.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';

export type PolicyWithTerms = Policy & { readonly terms: readonly Term[] };

/** The fields of a policy, and its cover on the day of the view. */
export function PolicyDetails({ policy, day }: { readonly policy: PolicyWithTerms; readonly day: string }) {
  const { policy_holder: holder, product, provider, currency, beneficiaries, coverages } = policy;
  return (
    <Fields
      fields={{
        [texts.coverOnDay(formatDay(day))]: (
          <>
            <Tag name={policy.cover} /> {coverNote(policy)}
          </>
        ),
        [texts.holder]: <a href={hrefOf(['customers', holder.customer_id])}>{holder.customer_name}</a>,
        [texts.reference]: policy.customer_reference,
        [texts.product]: product.name,
        [texts.insurer]: provider.provider_name,
        [texts.merchant]: <a href={hrefOf(['merchants', policy.merchant_short_code])}>{policy.merchant}</a>,
        [texts.term]: <Days from={policy.effective_from} through={policy.effective_through} />,
        [texts.premium]: formatMoney(policy.premium, currency),
        [texts.includedTax]: formatMoney(policy.tax, currency),
        [texts.autoRenew]: policy.auto_renew ? texts.yes : texts.no,
        [texts.cancellation]: policy.cancellation_date !== null && (
          <>
            <Day day={policy.cancellation_date} />: <bdi>{policy.cancellation_reason}</bdi>
            {policy.cancellation_initiator !== null && ` (${labelOf(policy.cancellation_initiator)})`}
          </>
        ),
        [texts.coverages]:
          coverages.length > 0 &&
          coverages.map(({ coverage_name, coverage_limit, deductible }) => (
            <div key={coverage_name}>
              <bdi>{coverage_name}</bdi>{' '}
              <span class="quiet">
                {coverage_limit === null ? texts.noLimit : texts.limitOf(formatMoney(coverage_limit, currency))}
                {deductible === null ? '' : ` · ${texts.deductibleOf(formatMoney(deductible, currency))}`}
              </span>
            </div>
          )),
        [texts.beneficiaries]:
          beneficiaries.length > 0 &&
          beneficiaries.map(({ beneficiary_id, beneficiary_name, share_percent }) => (
            <div key={beneficiary_id}>
              <bdi>{beneficiary_name}</bdi> {share_percent === null ? '' : `${share_percent} %`}
            </div>
          )),
      }}
    />
  );
}

/** Returns since when a policy is not in force, or from when on it is; undefined where its terms have no such day. */
function coverNote({ cover, terms, cancellation_date: end }: PolicyWithTerms): string | undefined {
  if (cover === 'waiting') return texts.waits;
  if (cover === 'not_begun' || cover === 'gap') {
    const next = terms.find(({ state }) => state === 'upcoming');
    return next && texts.beginsOn(formatDay(next.from));
  }
  if (cover === 'in_force') return undefined;
  const last = lastDay(terms.filter(({ state }) => state === 'past').map(({ through }) => through));
  return last && texts.endedOn(formatDay(end !== null && end < last ? end : last));
}

/** What claims may still be paid of each coverage, by term. */
export function RemainingLimits({ policy: { terms } }: { readonly policy: PolicyWithTerms }) {
  const agreed = terms.filter(({ state }) => state !== 'withdrawn' && state !== 'cancelled');
  return (
    <Table
      caption={texts.remainingLimits}
      isSection
      emptyText={texts.noLimits}
      rows={agreed.flatMap((term) => term.claim_payments.map((payment) => ({ ...payment, term })))}
      columns={[
        { title: texts.term, cell: ({ term: { from, through } }) => <Days from={from} through={through} /> },
        { title: texts.coverage, cell: ({ coverage_name }) => coverage_name },
        { title: texts.paid, money: ({ paid, term }) => [paid, term.currency] },
        {
          title: texts.left,
          money: ({ limit_left, term }) => (limit_left === null ? texts.noLimit : [limit_left, term.currency]),
        },
      ]}
    />
  );
}

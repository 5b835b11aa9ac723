import type { Policy, Term } from '../../../clients/typescript/src/index.ts';
import { Card } from '../components/card.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Day, Days, Fields } from '../components/values.tsx';
import { dayNumber, formatDay, formatMoney, fromMinorUnits, labelOf, lastDay, toMinorUnits } from '../format.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';

export type PolicyWithTerms = Policy & { readonly terms: readonly Term[] };

/** The first facts of a policy: its cover on the day of the view, product, insurer, end and premium. */
export function PolicyFacts({ policy, day }: { readonly policy: PolicyWithTerms; readonly day: string }) {
  const daysLeft = dayNumber(policy.effective_through) - dayNumber(day);
  return (
    <Fields
      fields={{
        [texts.coverOnDay(formatDay(day))]: (
          <>
            {labelOf(policy.cover)} {coverNote(policy)}
          </>
        ),
        [texts.product]: policy.product.name,
        [texts.insurer]: policy.provider.provider_name,
        [texts.termEnds]: (
          <>
            <Day day={policy.effective_through} />{' '}
            {policy.cover === 'in_force' && daysLeft <= 60 && <span class="quiet">{texts.inDays(daysLeft)}</span>}
          </>
        ),
        [texts.premiumOfTerm]: formatMoney(policy.premium, policy.currency),
        [texts.autoRenew]: policy.auto_renew ? texts.yes : texts.no,
      }}
    />
  );
}

interface CoveragesProps {
  readonly policy: PolicyWithTerms;
  readonly day: string;
}

/**
 * What the policy covers on the day of the view, and what claims may still be paid of it in the term; then what is
 * agreed for the days after it.
 */
export function Coverages({ policy: { coverages, currency, terms, term_id }, day }: CoveragesProps) {
  const term = terms.find((one) => one.term_id === term_id);
  const paidOf = (name: string): string | undefined =>
    term?.claim_payments.find(({ coverage_name }) => coverage_name === name)?.paid;
  const columns: readonly Column<Policy['coverages'][number]>[] = [
    { title: texts.coverage, cell: ({ coverage_name }) => coverage_name },
    {
      title: texts.limitTitle,
      money: ({ coverage_limit }) => (coverage_limit === null ? texts.noLimit : [coverage_limit, currency]),
    },
    { title: texts.deductible, money: ({ deductible }) => (deductible === null ? '–' : [deductible, currency]) },
  ];
  return (
    <>
      <Table
        caption={texts.coverages}
        isSection
        emptyText={texts.noLimits}
        rows={coverages}
        columns={[
          ...columns,
          {
            title: texts.left,
            money: ({ coverage_name, coverage_limit }) => {
              const paid = paidOf(coverage_name);
              if (paid === undefined) return '–';
              if (coverage_limit === null) return texts.noLimit;
              // Not `limit_left`, which is of the end of the term.
              const left = toMinorUnits(coverage_limit) - toMinorUnits(paid);
              return [fromMinorUnits(left > 0n ? left : 0n), currency];
            },
          },
        ]}
      />
      {term?.periods
        .filter(({ from }) => from > day)
        .map((period) => (
          <Table
            key={period.from}
            caption={texts.coveragesFrom(formatDay(period.from))}
            isSection
            emptyText={texts.noLimits}
            rows={period.coverages}
            columns={columns}
          />
        ))}
    </>
  );
}

/** The other fields of a policy. */
export function PolicyDetails({ policy }: { readonly policy: PolicyWithTerms }) {
  const { policy_holder: holder, currency, beneficiaries } = policy;
  return (
    <Card title={texts.details}>
      <Fields
        fields={{
          [texts.holder]: <a href={hrefOf(['customers', holder.customer_id])}>{holder.customer_name}</a>,
          [texts.reference]: policy.customer_reference,
          [texts.term]: <Days from={policy.effective_from} through={policy.effective_through} />,
          [texts.includedTax]: formatMoney(policy.tax, currency),
          [texts.cancellation]: policy.cancellation_date !== null && (
            <>
              <Day day={policy.cancellation_date} />: <bdi>{policy.cancellation_reason}</bdi>
              {policy.cancellation_initiator !== null && ` (${labelOf(policy.cancellation_initiator)})`}
            </>
          ),
          [texts.beneficiaries]:
            beneficiaries.length > 0 &&
            beneficiaries.map(({ beneficiary_id, beneficiary_name, share_percent }) => (
              <div key={beneficiary_id}>
                <bdi>{beneficiary_name}</bdi> {share_percent === null ? '' : `${share_percent} %`}
              </div>
            )),
        }}
      />
    </Card>
  );
}

/** Returns since when a policy is not in force, or from when on it is; undefined where its terms have no such day. */
function coverNote({ cover, terms, cancellation_date: end }: PolicyWithTerms): string | undefined {
  if (cover === 'waiting') return texts.waits;
  if (cover === 'not_begun' || cover === 'gap') {
    const next = terms.find(({ state }) => state === 'upcoming');
    return next && texts.beginsOn(formatDay(next.from));
  }
  if (cover === 'in_force') return end === null ? undefined : texts.cancelledFor(formatDay(end));
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

import type { HistoryEntry, Policy, Term, Transaction } from '../../../clients/typescript/src/index.ts';
import { hundredths, decimal, money } from '../format.ts';
import { all, jsonLines, type Loaded, useLoaded } from '../load.ts';
import { Status } from '../parts/failure.tsx';
import { Table } from '../parts/table.tsx';
import { Day, Fields, save, Tag, TransactionKind } from '../parts/values.tsx';
import { hrefOf, route } from '../route.ts';
import { type Session } from '../session.ts';
import { texts } from '../texts.ts';
import { Life } from './life.tsx';
import { useViews } from './point-in-time.ts';
import { Timeline } from './timeline.tsx';

const NDJSON = 'application/x-ndjson';

type PolicyWithTerms = Policy & { readonly terms: readonly Term[] };

/** The life of a policy. */
export function PolicyLife({ id, session: { client } }: { readonly id: string; readonly session: Session }) {
  const { as_of, known_at, environment_id } = route.value.query;
  const env = { environment_id };
  const shownQuery = { ...env, as_of, known_at };
  const key = JSON.stringify([id, env]);
  // Together, so that the picture of the terms is always that of the fields above it.
  const { current, view } = useViews(key, async (point, options): Promise<PolicyWithTerms> => {
    const policy = await client.policies.get(id, { ...env, ...point }, options);
    const { results: terms } = await client.policies.terms(policy.policy_id, { ...env, ...point }, options);
    return { ...policy, terms };
  });
  const history = useLoaded(key, async (options) =>
    jsonLines<HistoryEntry>(await client.policies.downloadHistory(id, NDJSON, env, options)),
  );
  const transactions = useLoaded(
    `${key} transactions`,
    async (options) => await all(client.policies.transactions(id, env, options)),
  );
  const claims = useLoaded(`${key} claims`, async (options) => await all(client.policies.claims(id, env, options)));
  const policy = current.value;
  const ofEvent = (entry: HistoryEntry) =>
    (transactions.value ?? []).filter(({ event_id }) => event_id === entry.event_id);
  return (
    <Life
      kind={texts.policy}
      title={policy?.policy_number ?? id}
      isTest={policy?.test_mode}
      zone={policy?.time_zone ?? 'UTC'}
      current={current}
      view={view}
      history={history}
      lastDay={policy?.terms
        .map(({ through }) => through)
        .toSorted()
        .at(-1)}
      apiPath={`/api/v1/policies/${encodeURIComponent(id)}/`}
      detail={(entry) => {
        const booked = ofEvent(entry);
        return booked.length === 0 ? null : <Booked transactions={booked} />;
      }}
    >
      {(shown) => (
        <>
          <PolicyFields policy={shown} />
          <Timeline terms={shown.terms} policy={shown} claims={claims.value ?? []} day={as_of} />
          <Limits terms={shown.terms} />
          <Transactions loaded={transactions} asOf={as_of} knownAt={known_at} />
          <ClaimsOf loaded={claims} />
          <button
            type="button"
            onClick={() =>
              void client.policies
                .downloadCertificate(id, shownQuery)
                .then(async (response) => save(`${shown.policy_number}.pdf`, await response.blob()))
                .catch((error: unknown) => alert(String(error)))
            }
          >
            {texts.certificate}
          </button>
        </>
      )}
    </Life>
  );
}

function PolicyFields({ policy }: { readonly policy: Policy }) {
  const { policy_holder: holder, product, provider, currency, beneficiaries } = policy;
  return (
    <Fields
      fields={[
        [texts.status, <Tag key="s" name={policy.status} />],
        [
          texts.holder,
          <a key="h" href={hrefOf(['customers', holder.customer_id])}>
            <bdi>{holder.customer_name}</bdi>
          </a>,
        ],
        [texts.reference, policy.customer_reference],
        [texts.productName, product.name],
        [texts.insurer, provider.provider_name],
        [
          texts.merchant,
          <a key="m" href={hrefOf(['merchants', policy.merchant_short_code])}>
            <bdi>{policy.merchant}</bdi>
          </a>,
        ],
        [
          texts.term,
          <span key="t">
            <Day of={policy.effective_from} /> – <Day of={policy.effective_through} />
          </span>,
        ],
        [texts.premium, money(policy.premium, currency)],
        [texts.ofThisTax, money(policy.tax, currency)],
        [texts.autoRenew, policy.auto_renew ? texts.yes : texts.no],
        [
          texts.cancellation,
          policy.cancellation_date === null ? null : (
            <span key="c">
              <Day of={policy.cancellation_date} />: <bdi>{policy.cancellation_reason}</bdi> (
              {policy.cancellation_initiator})
            </span>
          ),
        ],
        [
          texts.coverages,
          policy.coverages.map(({ coverage_name, coverage_limit, deductible }) => (
            <div key={coverage_name}>
              <bdi>{coverage_name}</bdi>{' '}
              <span class="quiet">
                {coverage_limit === null ? texts.noLimit : texts.limitOf(money(coverage_limit, currency))}
                {deductible === null ? '' : ` · ${texts.deductibleOf(money(deductible, currency))}`}
              </span>
            </div>
          )),
        ],
        [
          texts.beneficiaries,
          beneficiaries.length === 0
            ? null
            : beneficiaries.map(({ beneficiary_id, beneficiary_name, share_percent }) => (
                <div key={beneficiary_id}>
                  <bdi>{beneficiary_name}</bdi> {share_percent === null ? '' : `${share_percent} %`}
                </div>
              )),
        ],
      ]}
    />
  );
}

function Booked({ transactions }: { readonly transactions: readonly Transaction[] }) {
  return (
    <ul>
      {transactions.map((transaction) => (
        <li key={transaction.transaction_id}>
          <TransactionKind of={transaction} /> {money(transaction.amount, transaction.currency)} ·{' '}
          <Day of={transaction.date} />
        </li>
      ))}
    </ul>
  );
}

/** Transactions of the chosen day and knowledge, with a running balance. */
function Transactions({
  loaded,
  asOf,
  knownAt,
}: {
  readonly loaded: Loaded<readonly Transaction[]>;
  readonly asOf: string | undefined;
  readonly knownAt: string | undefined;
}) {
  const shown = (loaded.value ?? []).filter(
    ({ date, recorded_at }) =>
      (asOf === undefined || date <= asOf) && (knownAt === undefined || Date.parse(recorded_at) <= Date.parse(knownAt)),
  );
  let sum = 0n;
  const rows = shown.map((transaction) => {
    sum += hundredths(transaction.amount);
    return { ...transaction, balance: decimal(sum) };
  });
  return (
    <section>
      <h2>{texts.transactions}</h2>
      <Status loaded={loaded} />
      {loaded.value !== undefined && (
        <Table
          caption={texts.transactions}
          whyEmpty={loaded.value.length === 0 ? texts.nothingBooked : texts.nothingBookedThen}
          rows={rows}
          columns={[
            { title: texts.date, of: ({ date }) => <Day of={date} /> },
            { title: texts.kind, of: (transaction) => <TransactionKind of={transaction} /> },
            {
              title: texts.claim,
              of: ({ claim_id }) =>
                claim_id === null ? '–' : <a href={hrefOf(['claims', claim_id])}>{claim_id.slice(0, 8)}</a>,
            },
            { title: texts.amount, of: ({ amount, currency }) => money(amount, currency), isNumber: true },
            { title: texts.balance, of: ({ balance, currency }) => money(balance, currency), isNumber: true },
          ]}
        />
      )}
    </section>
  );
}

function Limits({ terms }: { readonly terms: readonly Term[] }) {
  const rows = terms.flatMap((term) => term.claim_payments.map((payment) => ({ ...payment, term })));
  return (
    <Table
      caption={texts.whatIsLeft}
      whyEmpty={texts.nothingPaid}
      rows={rows}
      columns={[
        {
          title: texts.term,
          of: ({ term }) => (
            <span>
              <Day of={term.from} /> – <Day of={term.through} />
            </span>
          ),
        },
        { title: texts.coverage, of: ({ coverage_name }) => coverage_name },
        { title: texts.paid, of: ({ paid, term }) => money(paid, term.currency), isNumber: true },
        {
          title: texts.left,
          of: ({ limit_left, term }) => (limit_left === null ? texts.noLimit : money(limit_left, term.currency)),
          isNumber: true,
        },
      ]}
    />
  );
}

interface ListedClaim {
  readonly claim_id: string;
  readonly claim_reference_number: string;
  readonly claim_status: string;
  readonly claim_date: string;
  readonly claim_amount: string | null;
  readonly currency: string;
}

function ClaimsOf({ loaded }: { readonly loaded: Loaded<readonly ListedClaim[]> }) {
  return (
    <section>
      <h2>{texts.claims}</h2>
      <Status loaded={loaded} />
      {loaded.value !== undefined && (
        <Table
          caption={texts.claimsAsNow}
          whyEmpty={texts.noClaims}
          rows={loaded.value}
          columns={[
            {
              title: texts.reference,
              of: ({ claim_id, claim_reference_number }) => (
                <a href={hrefOf(['claims', claim_id])}>{claim_reference_number}</a>
              ),
            },
            { title: texts.filed, of: ({ claim_date }) => <Day of={claim_date} /> },
            { title: texts.status, of: ({ claim_status }) => <Tag name={claim_status} /> },
            { title: texts.amount, of: ({ claim_amount, currency }) => money(claim_amount, currency), isNumber: true },
          ]}
        />
      )}
    </section>
  );
}

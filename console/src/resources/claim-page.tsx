import type { Claim, HistoryEntry } from '../../../clients/typescript/src/index.ts';
import { Table } from '../components/table.tsx';
import { Tag } from '../components/badge.tsx';
import { Day, Fields, Instant } from '../components/values.tsx';
import { formatMoney } from '../format.ts';
import { type HistoryDownload, readHistory } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { ClaimDocuments } from './claim-documents.tsx';
import { usePointInTimeViews } from './point-in-time.ts';
import { ResourcePage } from './resource-page.tsx';

/** A claim, without the contents of its documents, which are read one by one. */
export function ClaimPage({ id, session }: { readonly id: string; readonly session: Session }) {
  const { client } = session;
  const { environment_id } = route.value.query;
  const environment = { environment_id };
  const key = JSON.stringify([id, environment_id]);
  const { current, view } = usePointInTimeViews(
    key,
    async (point, options) => await client.claims.get(id, { ...environment, ...point, include_blobs: false }, options),
  );
  const downloadHistory = async (...[accept, options]: Parameters<HistoryDownload>) =>
    await client.claims.downloadHistory(id, accept, environment, options);
  const history = useRequest(key, async (options) => await readHistory(downloadHistory, options));
  const claim = current.value?.resource;
  return (
    <ResourcePage
      kind={texts.claim}
      title={claim?.claim_reference_number ?? id}
      pageTitle={claim?.claim_reference_number}
      isTest={claim?.test_mode}
      zone={claim?.time_zone ?? 'UTC'}
      current={current}
      view={view}
      history={history}
      apiPath={`/api/v1/claims/${encodeURIComponent(id)}/`}
      apiQuery={{ ...environment, include_blobs: 'false' }}
      detail={({ data }) => claim !== undefined && <EntryPayment data={data} claim={claim} />}
      historyDownload={{ name: claim?.claim_reference_number ?? id, download: downloadHistory }}
    >
      {(resource) => (
        <>
          <ClaimDetails claim={resource} />
          <Payments claim={resource} />
          <ClaimDocuments claim={resource} session={session} environment={environment} />
          <Notes claim={resource} />
        </>
      )}
    </ResourcePage>
  );
}

function ClaimDetails({ claim }: { readonly claim: Claim }) {
  const { currency, claim_details: details, settlement, claimant } = claim;
  return (
    <Fields
      fields={{
        [texts.status]: <Tag name={claim.claim_status} />,
        [texts.policy]: <a href={hrefOf(['policies', claim.policy])}>{claim.policy_number}</a>,
        [texts.claimant]: <a href={hrefOf(['customers', claimant.customer_id])}>{claimant.customer_name}</a>,
        [texts.insurer]: claim.insurer,
        [texts.kind]: details.claim_type,
        [texts.incident]: (
          <>
            <Day day={details.incident_date} /> <bdi>{details.incident_description ?? ''}</bdi>
          </>
        ),
        [texts.coverage]: details.coverage_name,
        [texts.filed]: <Day day={claim.claim_date} />,
        [texts.claimed]: formatMoney(claim.claim_amount, currency),
        [texts.limit]: limitOf(claim),
        [texts.deductible]: formatMoney(settlement.deductible, currency),
        [texts.approved]: formatMoney(settlement.approved_amount, currency),
        [texts.offer]: formatMoney(settlement.offer_amount, currency),
        [texts.paid]: formatMoney(settlement.paid_amount, currency),
        [texts.outstanding]: formatMoney(settlement.outstanding, currency),
        [texts.resolved]: <Day day={claim.date_resolved} />,
      }}
    />
  );
}

/** Returns the limit, which is known once the coverage is; what is left of it is on the page of the policy. */
function limitOf({ claim_details, settlement, currency }: Claim): string | null {
  if (settlement.limit !== null) return formatMoney(settlement.limit, currency);
  return claim_details.coverage_name === null ? null : texts.noLimit;
}

/** The payment that an entry of the history names. */
function EntryPayment({ data, claim }: { readonly data: HistoryEntry['data']; readonly claim: Claim }) {
  const payment = claim.payments.find(({ payment_id }) => payment_id === data?.['payment_id']);
  if (payment === undefined) return null;
  return (
    <p>
      {texts.payment} {formatMoney(payment.amount, claim.currency)} · <Day day={payment.paid_on} />{' '}
      {payment.reversed_on !== null && (
        <span>
          {texts.reversed} <Day day={payment.reversed_on} />
        </span>
      )}
    </p>
  );
}

function Payments({ claim: { payments, currency } }: { readonly claim: Claim }) {
  return (
    <Table
      caption={texts.payments}
      isSection
      emptyText={texts.noPayments}
      rows={payments}
      columns={[
        { title: texts.date, cell: ({ paid_on }) => <Day day={paid_on} /> },
        { title: texts.amount, money: ({ amount }) => [amount, currency] },
        { title: texts.reference, cell: ({ reference }) => reference ?? '–' },
        { title: texts.reversed, cell: ({ reversed_on }) => <Day day={reversed_on} /> },
      ]}
    />
  );
}

function Notes({ claim: { note_entries, notes, time_zone } }: { readonly claim: Claim }) {
  return (
    <section>
      <h2>{texts.notes}</h2>
      {note_entries.length === 0 && notes === null && <p class="quiet">{texts.noNotes}</p>}
      {notes !== null && (
        <p class="note">
          <bdi>{notes}</bdi>
        </p>
      )}
      <ul>
        {note_entries.map(({ at, by, text }) => (
          <li key={`${at} ${text}`}>
            <Instant at={at} zone={time_zone} /> <bdi class="quiet">{by}</bdi>
            <p class="note">
              <bdi>{text}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { Claim } from '../../../clients/typescript/src/index.ts';
import { Card } from '../components/card.tsx';
import { Table } from '../components/table.tsx';
import { Tag } from '../components/badge.tsx';
import { Day, Fields } from '../components/values.tsx';
import { formatMinute, formatMoney } from '../format.ts';
import { type HistoryDownload, readHistory } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { claimTexts } from '../texts-claims.ts';
import { ClaimActions, ClaimCommand, type ClaimWorkProps } from './claim-actions.tsx';
import { ClaimDocuments } from './claim-documents.tsx';
import { ClaimMoney, ClaimSteps } from './claim-money.tsx';
import { ClaimObstacles } from './claim-obstacles.tsx';
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
  // What is left of the limit, and the coverages to choose from.
  const terms = useRequest(`${claim?.policy}`, async (options) =>
    claim === undefined ? [] : (await client.policies.terms(claim.policy, environment, options)).results,
  );
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
      historyDownload={{ name: claim?.claim_reference_number ?? id, download: downloadHistory }}
      trail={
        <>
          <a href={hrefOf(['claims'])}>{texts.claims}</a>
          {claim !== undefined && (
            <>
              {' / '}
              <a href={hrefOf(['policies', claim.policy])}>{claim.policy_number}</a>
              {', '}
              <a href={hrefOf(['customers', claim.claimant.customer_id])}>
                <bdi>{claim.claimant.customer_name}</bdi>
              </a>
            </>
          )}
        </>
      }
      heading={({ claim_status, claim_status_timeline, claim_details, assignee }) => (
        <>
          <Tag name={claim_status_timeline.at(-1)?.name ?? claim_status} />
          <span class="quiet">
            <bdi>{claim_details.claim_type}</bdi>, <Day day={claim_details.incident_date} />
            {assignee !== null && (
              <>
                , {claimTexts.assignedTo} <bdi>{assignee.label ?? assignee.id}</bdi>
              </>
            )}
          </span>
        </>
      )}
      actions={(resource) => <ClaimActions claim={resource} terms={terms.value ?? []} session={session} />}
      facts={(resource) => <ClaimSteps claim={resource} />}
    >
      {(resource) => (
        <>
          <ClaimMoney claim={resource}>
            {resource === claim && <ClaimObstacles claim={claim} terms={terms.value ?? []} session={session} />}
          </ClaimMoney>
          <ClaimDocuments claim={resource} session={session} environment={environment} />
          <ClaimDetails claim={resource} />
          <Payments claim={resource} session={session} />
          <Notes claim={resource} session={session} />
        </>
      )}
    </ResourcePage>
  );
}

function ClaimDetails({ claim }: { readonly claim: Claim }) {
  const { claim_details: details } = claim;
  return (
    <Card title={texts.incident}>
      {details.incident_description !== null && (
        <p class="note">
          <bdi>{details.incident_description}</bdi>
        </p>
      )}
      <Fields
        fields={{
          [texts.filed]: <Day day={claim.claim_date} />,
          [texts.insurer]: claim.insurer,
          [texts.resolved]: <Day day={claim.date_resolved} />,
        }}
      />
    </Card>
  );
}

function Payments({ claim, session }: ClaimWorkProps) {
  const { payments, currency } = claim;
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
        {
          title: texts.reversed,
          cell: ({ payment_id, amount, reversed_on }) => (
            <>
              {(reversed_on !== null || session.me.merchant !== null) && <Day day={reversed_on} />}
              <ClaimCommand
                claim={claim}
                session={session}
                name="ReversePayment"
                about={claimTexts.paymentOf(
                  1 + payments.findIndex((one) => one.payment_id === payment_id),
                  formatMoney(amount, currency),
                  claim.claim_reference_number,
                )}
                look="danger"
                given={{ payment_id }}
                isAllowed={reversed_on === null}
              />
            </>
          ),
        },
      ]}
    />
  );
}

function Notes({ claim, session }: ClaimWorkProps) {
  const { note_entries, notes, time_zone } = claim;
  return (
    <Card title={texts.notes} aside={<ClaimCommand claim={claim} session={session} name="AddClaimNote" />}>
      {note_entries.length === 0 && notes === null && <p class="quiet">{texts.noNotes}</p>}
      {notes !== null && (
        <p class="note">
          <bdi>{notes}</bdi>
        </p>
      )}
      <ul class="line">
        {note_entries.map(({ at, by, text }) => (
          <li key={`${at} ${text}`}>
            <p class="note">
              <bdi>{text}</bdi>
            </p>
            <p class="quiet small">
              <bdi>{by}</bdi> · {formatMinute(at, time_zone)}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

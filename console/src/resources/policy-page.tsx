import { Card } from '../components/card.tsx';
import { chosenValue } from '../components/filters.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { RequestTable } from '../components/request-table.tsx';
import { Tag } from '../components/badge.tsx';
import { Day } from '../components/values.tsx';
import { lastDay } from '../format.ts';
import { collect, type HistoryDownload, readHistory } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { dayOfView, usePointInTimeViews } from './point-in-time.ts';
import { PolicyActions } from './policy-actions.tsx';
import { Coverages, PolicyDetails, PolicyFacts, type PolicyWithTerms, RemainingLimits } from './policy-details.tsx';
import { EntryTransactions, PolicyTransactions } from './policy-transactions.tsx';
import { ResourcePage } from './resource-page.tsx';
import { Tabs } from '../components/tabs.tsx';
import { Timeline } from './timeline.tsx';

const PARTS = ['cover', 'transactions', 'claims'] as const;

/** A policy. Its terms and fields are of one view; transactions and claims are read once, as they are now. */
export function PolicyPage({ id, session }: { readonly id: string; readonly session: Session }) {
  const { client } = session;
  const { environment_id } = route.value.query;
  const environment = { environment_id };
  const key = JSON.stringify([id, environment_id]);
  // In one request state, so that the terms are always those of the fields above them.
  const { current, view } = usePointInTimeViews(key, async (point, options): Promise<PolicyWithTerms> => {
    const query = { ...environment, ...point };
    const [policy, { results: terms }] = await Promise.all([
      client.policies.get(id, query, options),
      client.policies.terms(id, query, options),
    ]);
    // The same object, of which the client knows the `ETag`.
    return Object.assign(policy, { terms });
  });
  const downloadHistory = async (...[accept, options]: Parameters<HistoryDownload>) =>
    await client.policies.downloadHistory(id, accept, environment, options);
  const history = useRequest(key, async (options) => await readHistory(downloadHistory, options));
  const transactions = useRequest(
    key,
    async (options) => await collect(client.policies.transactions(id, environment, options)),
  );
  const claims = useRequest(key, async (options) => await collect(client.policies.claims(id, environment, options)));
  const part = chosenValue('part', PARTS) ?? 'cover';
  const now = current.value?.resource;
  const referenceOf = (claimId: string): string =>
    claims.value?.find(({ claim_id }) => claim_id === claimId)?.claim_reference_number ?? texts.claim;
  return (
    <ResourcePage
      kind={texts.policy}
      title={now?.policy_number ?? id}
      pageTitle={now?.policy_number}
      isTest={now?.test_mode}
      zone={now?.time_zone ?? 'UTC'}
      current={current}
      view={view}
      history={history}
      lastAgreedDay={lastDay((now?.terms ?? []).map(({ through }) => through))}
      apiPath={`/api/v1/policies/${encodeURIComponent(id)}/`}
      apiQuery={environment}
      detail={(entry) => (
        <EntryTransactions
          transactions={(transactions.value ?? []).filter(({ event_id }) => event_id === entry.event_id)}
        />
      )}
      historyDownload={{ name: now?.policy_number ?? id, download: downloadHistory }}
      trail={
        <>
          <a href={hrefOf(['policies'])}>{texts.policies}</a>
          {now !== undefined && (
            <>
              {' / '}
              <a href={hrefOf(['merchants', now.merchant_short_code])}>
                <bdi>{now.merchant}</bdi>
              </a>
            </>
          )}
        </>
      }
      heading={(policy) => (
        <>
          <Tag name={policy.cover} />
          <a class="quiet" href={hrefOf(['customers', policy.policy_holder.customer_id])}>
            <bdi>{policy.policy_holder.customer_name}</bdi>
          </a>
        </>
      )}
      actions={({ policy_number }, point) => (
        <>
          {now !== undefined && <PolicyActions policy={now} session={session} />}
          <DownloadButton
            label={texts.certificate}
            file={`${policy_number}.pdf`}
            read={async () => await client.policies.downloadCertificate(id, { ...environment, ...point })}
          />
        </>
      )}
      facts={(policy, point) => {
        const zone = policy.time_zone;
        const day = dayOfView(point, zone);
        const known = dayOfView({ known_at: point.known_at }, zone);
        return (
          <Card>
            <PolicyFacts policy={policy} day={day} />
            <Timeline
              terms={policy.terms}
              end={policy.cancellation_date}
              claims={(claims.value ?? []).filter(({ claim_date }) => claim_date <= day && claim_date <= known)}
              day={day}
              isToday={point.as_of === undefined && point.known_at === undefined}
            />
          </Card>
        );
      }}
    >
      {(policy, point) => (
        <>
          <Tabs
            parts={[
              ['cover', texts.cover, undefined],
              ['transactions', texts.transactions, transactions.value?.length],
              ['claims', texts.claims, claims.value?.length],
            ]}
            part={part}
          />
          {part === 'cover' && (
            <>
              <Coverages policy={policy} day={dayOfView(point, policy.time_zone)} />
              <PolicyDetails policy={policy} />
            </>
          )}
          {part === 'transactions' && (
            <PolicyTransactions state={transactions} point={point} referenceOf={referenceOf} />
          )}
          {part === 'claims' && (
            <>
              <RequestTable
                state={claims}
                caption={texts.claimsAsNow}
                emptyText={texts.noClaims}
                columns={[
                  {
                    title: texts.reference,
                    cell: ({ claim_id, claim_reference_number }) => (
                      <a href={hrefOf(['claims', claim_id])}>{claim_reference_number}</a>
                    ),
                  },
                  { title: texts.filed, cell: ({ claim_date }) => <Day day={claim_date} /> },
                  { title: texts.status, cell: ({ claim_status }) => <Tag name={claim_status} /> },
                  {
                    title: texts.amount,
                    money: ({ claim_amount, currency }) => [claim_amount, currency],
                  },
                ]}
              />
              <RemainingLimits policy={policy} />
            </>
          )}
        </>
      )}
    </ResourcePage>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type {
  CallOptions,
  Customer,
  CustomerHistoryEntry,
  HistoryEntry,
} from '../../../clients/typescript/src/index.ts';
import { Command } from '../actions/command.tsx';
import { Card } from '../components/card.tsx';
import { RequestTable } from '../components/request-table.tsx';
import { Tag } from '../components/badge.tsx';
import { Day, Fields } from '../components/values.tsx';
import { NewQuoteLink } from '../quotes/new-quote-link.tsx';
import { collect, type HistoryDownload } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf, route } from '../route.ts';
import { type Session, zoneOf } from '../session.ts';
import { texts } from '../texts.ts';
import { usePointInTimeViews } from './point-in-time.ts';
import { ResourcePage } from './resource-page.tsx';

const PAGE = 100;
const MAX_LISTED = 1_000;

/** A customer. Its history may be long, so it is read by pages from the end. */
export function CustomerPage({ id, session }: { readonly id: string; readonly session: Session }) {
  const { client } = session;
  const { current, view } = usePointInTimeViews(
    id,
    async (point, options) => await client.customers.get(id, point, options),
  );
  const [pages, setPages] = useState(1);
  const history = useRequest(id, async (options) => await lastEntries(client, id, pages, options));
  const more = (): void => {
    setPages(pages + 1);
    history.reload();
  };
  const policies = useRequest(
    id,
    async (options) => await collect(client.customers.policies(id, {}, { ...options, max: MAX_LISTED })),
  );
  const claims = useRequest(
    id,
    async (options) => await collect(client.customers.claims(id, {}, { ...options, max: MAX_LISTED })),
  );
  const downloadHistory = async (...[accept, options]: Parameters<HistoryDownload>) =>
    await client.customers.downloadHistory(id, accept, options);
  const { entries = [], total = 0 } = history.value ?? {};
  const { event } = route.value.query;
  const isEventMissing = event !== undefined && entries.every(({ event_id }) => event_id !== event);
  // The entry that the address names may be an early one.
  useEffect(() => {
    if (isEventMissing && !history.isLoading && entries.length < total) more();
  }, [isEventMissing, history.isLoading]);
  return (
    <ResourcePage
      kind={texts.customer}
      title={current.value?.resource.full_name ?? id}
      isTest={current.value?.resource.test_mode}
      // A customer has no zone of its own: its days are those of its policies.
      zone={policies.value?.[0]?.time_zone ?? zoneOf(session)}
      current={current}
      view={view}
      history={{ ...history, value: history.value?.entries }}
      apiPath={`/api/v1/customers/${encodeURIComponent(id)}/`}
      detail={(entry) => <EntryResource entry={entry} />}
      historyDownload={{ name: id, download: downloadHistory }}
      ownEntries={entries.length === total ? entries.filter(({ resource }) => resource === `customers/${id}`) : []}
      historyNotice={
        entries.length < total && (
          <p class="notice">
            {texts.lastOf(entries.length, total)}{' '}
            <button type="button" disabled={history.isLoading} onClick={more}>
              {texts.more}
            </button>
          </p>
        )
      }
      trail={<a href={hrefOf(['customers'])}>{texts.customers}</a>}
      heading={({ merchant_short_code }) => (
        <a class="quiet" href={hrefOf(['merchants', merchant_short_code])}>
          {merchant_short_code}
        </a>
      )}
      actions={() =>
        current.value !== undefined && <CustomerActions customer={current.value.resource} session={session} />
      }
      facts={(resource) => <CustomerDetails customer={resource} />}
    >
      {() => (
        <>
          <RequestTable
            state={policies}
            max={MAX_LISTED}
            caption={texts.policiesAsNow}
            emptyText={texts.noPolicies}
            columns={[
              {
                title: texts.number,
                cell: ({ policy_id, policy_number }) => <a href={hrefOf(['policies', policy_id])}>{policy_number}</a>,
              },
              { title: texts.cover, cell: ({ cover }) => <Tag name={cover} /> },
              { title: texts.from, cell: ({ effective_from }) => <Day day={effective_from} /> },
              { title: texts.through, cell: ({ effective_through }) => <Day day={effective_through} /> },
              { title: texts.ended, cell: ({ cancellation_date }) => <Day day={cancellation_date} /> },
            ]}
          />
          <RequestTable
            state={claims}
            max={MAX_LISTED}
            caption={texts.claimsAsNow}
            emptyText={texts.noClaims}
            columns={[
              {
                title: texts.reference,
                cell: ({ claim_id, claim_reference_number }) => (
                  <a href={hrefOf(['claims', claim_id])}>{claim_reference_number}</a>
                ),
              },
              {
                title: texts.policy,
                cell: ({ policy_id, policy_number }) => <a href={hrefOf(['policies', policy_id])}>{policy_number}</a>,
              },
              { title: texts.filed, cell: ({ date_filed }) => <Day day={date_filed} /> },
              { title: texts.status, cell: ({ claim_status }) => <Tag name={claim_status} /> },
              { title: texts.resolved, cell: ({ date_resolved }) => <Day day={date_resolved} /> },
              {
                title: texts.claimed,
                money: ({ claim_amount, currency }) => [claim_amount, currency],
              },
            ]}
          />
        </>
      )}
    </ResourcePage>
  );
}

/** Reads the last entries: the number of all is known only from a page. */
async function lastEntries(client: Session['client'], id: string, pages: number, options: CallOptions) {
  const total = (await client.customers.historyPage(id, { limit: 1 }, options)).count;
  const offset = Math.max(0, total - pages * PAGE);
  return { entries: await collect(client.customers.history(id, { offset, limit: PAGE }, options)), total };
}

/** Links to the policy or claim that an entry of the history is about. */
function EntryResource({ entry }: { readonly entry: HistoryEntry }) {
  const { resource } = entry as CustomerHistoryEntry;
  const [kind = '', id = ''] = resource.split('/');
  return kind === 'customers' ? null : (
    <p>
      <a href={hrefOf([kind, id], { event: entry.event_id })}>{kind === 'claims' ? texts.claim : texts.policy}</a>
    </p>
  );
}

/** What a person does with a customer, as it is now. */
function CustomerActions({ customer, session }: { readonly customer: Customer; readonly session: Session }) {
  const { customer_id, full_name } = customer;
  return (
    <>
      <Command
        session={session}
        name="UpdateCustomer"
        about={full_name}
        id={customer_id}
        given={{ customer_id }}
        required={['full_name', 'customer_email']}
        initial={customer}
        guarded={customer}
      />
      <NewQuoteLink session={session} customerId={customer_id} />
    </>
  );
}

function CustomerDetails({ customer }: { readonly customer: Customer }) {
  return (
    <Card>
      <Fields
        fields={{
          [texts.name]: customer.full_name,
          [texts.email]: customer.customer_email,
          [texts.phone]: customer.customer_phone,
          [texts.address]: customer.address,
          [texts.birthDate]: <Day day={customer.date_of_birth} />,
          [texts.reference]: customer.customer_reference,
          [texts.activePolicies]: String(customer.active_policies_count),
          [texts.openClaims]: String(customer.active_claims_count),
        }}
      />
    </Card>
  );
}

import { useState } from 'preact/hooks';
import type { CallOptions, Customer, CustomerHistoryEntry } from '../../../clients/typescript/src/index.ts';
import { money } from '../format.ts';
import { all, useLoaded } from '../load.ts';
import { Status } from '../parts/failure.tsx';
import { Table } from '../parts/table.tsx';
import { Day, Fields, Tag } from '../parts/values.tsx';
import { hrefOf } from '../route.ts';
import { type Session, zoneOf } from '../session.ts';
import { texts } from '../texts.ts';
import { Life } from './life.tsx';
import { useViews } from './point-in-time.ts';

const PAGE = 100;

/** The life of a customer. Its history may be long, so it is read by pages from the end. */
export function CustomerLife({ id, session }: { readonly id: string; readonly session: Session }) {
  const { client } = session;
  const { current, view } = useViews(id, async (point, options) => await client.customers.get(id, point, options));
  const [pages, setPages] = useState(1);
  const history = useLoaded(`${id} ${pages}`, async (options) => await lastEntries(client, id, pages, options));
  const policies = useLoaded(
    `${id} policies`,
    async (options) => await all(client.customers.policies(id, {}, { ...options, max: 1_000 })),
  );
  const claims = useLoaded(
    `${id} claims`,
    async (options) => await all(client.customers.claims(id, {}, { ...options, max: 1_000 })),
  );
  const customer = current.value;
  const { entries = [], total = 0 } = history.value ?? {};
  return (
    <Life
      kind={texts.customer}
      title={customer?.full_name ?? id}
      isTest={customer?.test_mode}
      zone={zoneOf(session)}
      current={current}
      view={view}
      history={{ ...history, value: history.value?.entries }}
      apiPath={`/api/v1/customers/${encodeURIComponent(id)}/`}
      historyNotice={
        entries.length < total && (
          <p class="notice">
            {texts.seenOf(entries.length, total)}{' '}
            <button type="button" onClick={() => setPages(pages + 1)}>
              {texts.more}
            </button>
          </p>
        )
      }
    >
      {(shown) => (
        <>
          <CustomerFields customer={shown} />
          <Status loaded={policies} />
          <Table
            caption={texts.policiesAsNow}
            whyEmpty={policies.value === undefined ? '' : texts.noPolicies}
            rows={policies.value ?? []}
            columns={[
              {
                title: texts.number,
                of: ({ policy_id, policy_number }) => <a href={hrefOf(['policies', policy_id])}>{policy_number}</a>,
              },
              { title: texts.status, of: ({ status }) => <Tag name={status} /> },
              { title: texts.from, of: ({ effective_from }) => <Day of={effective_from} /> },
              { title: texts.through, of: ({ effective_through }) => <Day of={effective_through} /> },
            ]}
          />
          <Status loaded={claims} />
          <Table
            caption={texts.claimsAsNow}
            whyEmpty={claims.value === undefined ? '' : texts.noClaims}
            rows={claims.value ?? []}
            columns={[
              {
                title: texts.filed,
                of: ({ claim_id, date_filed }) => (
                  <a href={hrefOf(['claims', claim_id])}>
                    <Day of={date_filed} />
                  </a>
                ),
              },
              { title: texts.status, of: ({ claim_status }) => <Tag name={claim_status} /> },
              { title: texts.resolved, of: ({ date_resolved }) => <Day of={date_resolved} /> },
              { title: texts.claimed, of: ({ claim_amount }) => money(claim_amount), isNumber: true },
            ]}
          />
        </>
      )}
    </Life>
  );
}

/** Reads the last entries: the number of all is known only from a page. */
async function lastEntries(client: Session['client'], id: string, pages: number, options: CallOptions) {
  const total = (await client.customers.historyPage(id, { limit: 1 }, options)).count;
  const entries: CustomerHistoryEntry[] = [];
  const start = Math.max(0, total - pages * PAGE);
  for await (const entry of client.customers.history(id, { offset: start, limit: PAGE }, options)) entries.push(entry);
  return { entries, total };
}

function CustomerFields({ customer }: { readonly customer: Customer }) {
  return (
    <Fields
      fields={[
        [texts.name, customer.full_name],
        [texts.email, customer.customer_email],
        [texts.phone, customer.customer_phone],
        [texts.address, customer.address],
        [texts.birthDate, <Day key="b" of={customer.date_of_birth} />],
        [texts.reference, customer.customer_reference],
        [
          texts.merchant,
          <a key="m" href={hrefOf(['merchants', customer.merchant_short_code])}>
            {customer.merchant_short_code}
          </a>,
        ],
        [texts.policiesInForce, String(customer.active_policies_count)],
        [texts.openClaims, String(customer.active_claims_count)],
      ]}
    />
  );
}

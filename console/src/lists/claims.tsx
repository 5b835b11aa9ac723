import { chosenValue, SelectFilter } from '../components/filters.tsx';
import { List, type MerchantListProps } from '../components/list.tsx';
import { modeQuery } from '../components/mode.tsx';
import { Tag } from '../components/badge.tsx';
import { Day } from '../components/values.tsx';
import { usePages } from '../requests/use-pages.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';
import { type ClaimQuery, namesOf } from './queries.ts';

const STATUSES = namesOf<NonNullable<ClaimQuery['claim_status']>>({
  open: true,
  pending: true,
  approved: true,
  offer_sent: true,
  offer_accepted: true,
  paid: true,
  denied: true,
  withdrawn: true,
});
const SELECTIONS = ['all', ...STATUSES] as const;

/** Claims, the open ones at first. */
export function ClaimList({ session, code }: MerchantListProps) {
  const { merchants } = session.client;
  const status = chosenValue('claim_status', SELECTIONS) ?? 'open';
  const query: ClaimQuery = { claim_status: status === 'all' ? undefined : status, ...modeQuery(session) };
  const pages = usePages(JSON.stringify([code, query]), (options) => merchants.claims(code, query, options));
  return (
    <List
      title={texts.claims}
      of={{ session, code }}
      pages={pages}
      emptyText={texts.noMatch}
      csv={{
        name: `claims ${status}`,
        read: async () => await merchants.downloadClaims(code, 'text/csv', query),
      }}
      filters={
        <SelectFilter
          label={texts.status}
          name="claim_status"
          values={STATUSES}
          value={status}
          none={['all', texts.all]}
        />
      }
      columns={[
        {
          title: texts.reference,
          cell: ({ claim_id, claim_reference_number }) => (
            <a href={hrefOf(['claims', claim_id])}>{claim_reference_number}</a>
          ),
        },
        { title: texts.status, cell: ({ claim_status }) => <Tag name={claim_status} /> },
        { title: texts.claimant, cell: ({ claimant }) => claimant.customer_name },
        {
          title: texts.policy,
          cell: ({ policy, policy_number }) => <a href={hrefOf(['policies', policy])}>{policy_number}</a>,
        },
        { title: texts.incident, cell: ({ claim_details }) => <Day day={claim_details.incident_date} /> },
        { title: texts.filed, cell: ({ claim_date }) => <Day day={claim_date} /> },
        {
          title: texts.claimed,
          money: ({ claim_amount, currency }) => [claim_amount, currency],
        },
        {
          title: texts.outstanding,
          money: ({ settlement, currency }) => [settlement.outstanding, currency],
        },
        { title: texts.insurer, cell: ({ insurer }) => insurer },
      ]}
    />
  );
}

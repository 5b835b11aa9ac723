import { DateFilter, useAddressDefaults } from '../components/filters.tsx';
import { List, type MerchantListProps } from '../components/list.tsx';
import { modeQuery } from '../components/mode.tsx';
import { Day } from '../components/values.tsx';
import { dayNumber, isoDay } from '../format.ts';
import { usePages } from '../requests/use-pages.ts';
import { route } from '../route.ts';
import { todayIn, zoneOf } from '../session.ts';
import { texts } from '../texts.ts';
import { policyColumns } from './policy-columns.tsx';

const RENEWAL_DAYS = 30;

/** Policies by their renewal date, those of the next 30 days at first. */
export function RenewalsDue({ session, code }: MerchantListProps) {
  const { merchants } = session.client;
  const { from = todayIn(zoneOf(session)) } = route.value.query;
  const { through = isoDay(dayNumber(from) + RENEWAL_DAYS) } = route.value.query;
  useAddressDefaults({ from, through });
  const query = { renewal_from: from, renewal_through: through, ...modeQuery(session) };
  const pages = usePages(JSON.stringify([code, query]), (options) => merchants.policies(code, query, options));
  return (
    <List
      title={texts.renewalsDue}
      of={{ session, code }}
      pages={pages}
      emptyText={texts.noRenewals}
      csv={{
        name: `renewals ${from} to ${through}`,
        read: async () => await merchants.downloadPolicies(code, 'text/csv', query),
      }}
      filters={
        <>
          <DateFilter label={texts.from} name="from" value={from} />
          <DateFilter label={texts.through} name="through" value={through} />
          <span class="quiet">{texts.onlyRenewable}</span>
        </>
      }
      columns={[
        ...policyColumns,
        { title: texts.renewal, cell: ({ renewal_date }) => <Day day={renewal_date} /> },
        { title: texts.autoRenew, cell: ({ auto_renew }) => (auto_renew ? texts.yes : texts.no) },
      ]}
    />
  );
}

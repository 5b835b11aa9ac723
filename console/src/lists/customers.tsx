import { List, type MerchantListProps } from '../components/list.tsx';
import { modeQuery } from '../components/mode.tsx';
import { usePages } from '../requests/use-pages.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';

/** Customers, newest first. A reference or e-mail is typed into the find box, which sends it in no address. */
export function CustomerList({ session, code }: MerchantListProps) {
  const { merchants } = session.client;
  const query = modeQuery(session);
  const pages = usePages(JSON.stringify([code, query]), (options) => merchants.customers(code, query, options));
  return (
    <List
      title={texts.customers}
      of={{ session, code }}
      pages={pages}
      emptyText={texts.noCustomers}
      csv={{
        name: 'customers',
        read: async () => await merchants.downloadCustomers(code, 'text/csv', query),
      }}
      filters={<span class="quiet">{texts.findCustomers}</span>}
      columns={[
        {
          title: texts.name,
          cell: ({ customer_id, full_name }) => <a href={hrefOf(['customers', customer_id])}>{full_name}</a>,
        },
        { title: texts.reference, cell: ({ customer_reference }) => customer_reference ?? '–' },
        { title: texts.email, cell: ({ customer_email }) => customer_email },
      ]}
    />
  );
}

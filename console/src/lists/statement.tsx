import { dayOf, decimal, hundredths, money } from '../format.ts';
import { Day, Instant, TransactionKind } from '../parts/values.tsx';
import { hrefOf, replaceQuery, route } from '../route.ts';
import { serviceTime, zoneOf } from '../session.ts';
import { texts } from '../texts.ts';
import { List } from './list.tsx';
import { type MerchantListProps, modeOf } from './merchant-lists.tsx';
import { usePages } from './pages.ts';

/** The statement of a month: all that was recorded in it. */
export function Statement({ session, code }: MerchantListProps) {
  const { client } = session;
  const zone = zoneOf(session);
  const today = dayOf(serviceTime.value, zone);
  const { month = today.slice(0, 7) } = route.value.query;
  const query = {
    recorded_from: `${month}-01`,
    recorded_through: lastDayOf(month),
    ...modeOf(session),
  };
  const pages = usePages(JSON.stringify([code, query]), (options) =>
    client.merchants.transactions(code, query, options),
  );
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of pages.items) sums.set(currency, (sums.get(currency) ?? 0n) + hundredths(amount));
  return (
    <List
      title={texts.statementTitle}
      session={session}
      pages={pages}
      whyEmpty={texts.nothingRecorded}
      download={async () => await client.merchants.downloadTransactions(code, 'text/csv', query)}
      filters={
        <>
          <label>
            {texts.month}{' '}
            <input
              type="month"
              value={month}
              onChange={({ currentTarget }) => replaceQuery({ month: currentTarget.value || undefined })}
            />
          </label>
          {[...sums].map(([currency, sum]) => (
            <strong key={currency}>
              {pages.isComplete ? texts.sum : texts.sumSoFar} {money(decimal(sum), currency)}
            </strong>
          ))}
        </>
      }
      columns={[
        { title: texts.date, of: ({ date }) => <Day of={date} /> },
        { title: texts.recorded, of: ({ recorded_at }) => <Instant at={recorded_at} zone={zone} /> },
        { title: texts.kind, of: (transaction) => <TransactionKind of={transaction} /> },
        {
          title: texts.policy,
          of: ({ policy_id, policy_number }) => <a href={hrefOf(['policies', policy_id])}>{policy_number}</a>,
        },
        { title: texts.productName, of: ({ product }) => product },
        { title: texts.amount, of: ({ amount, currency }) => money(amount, currency), isNumber: true },
        { title: texts.tax, of: ({ tax, currency }) => money(tax, currency), isNumber: true },
        { title: texts.commission, of: ({ commission, currency }) => money(commission, currency), isNumber: true },
      ]}
    />
  );
}

function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

import { DateFilter, useAddressDefaults } from '../components/filters.tsx';
import { List, type MerchantListProps } from '../components/list.tsx';
import { modeQuery } from '../components/mode.tsx';
import { Day, Instant, transactionKind, TransactionKind } from '../components/values.tsx';
import { formatMoney, fromMinorUnits, toMinorUnits } from '../format.ts';
import { usePages } from '../requests/use-pages.ts';
import { hrefOf, route } from '../route.ts';
import { todayIn, zoneOf } from '../session.ts';
import { texts } from '../texts.ts';

/** The statement of a month: all that was recorded in it. */
export function Statement({ session, code }: MerchantListProps) {
  const { merchants } = session.client;
  const zone = zoneOf(session);
  const { month = todayIn(zone).slice(0, 7) } = route.value.query;
  useAddressDefaults({ month });
  const query = { recorded_from: `${month}-01`, recorded_through: lastDayOf(month), ...modeQuery(session) };
  const pages = usePages(JSON.stringify([code, query]), (options) => merchants.transactions(code, query, options));
  return (
    <List
      title={texts.statement}
      of={{ session, code }}
      pages={pages}
      emptyText={texts.nothingRecorded}
      csv={{
        name: `statement ${month}`,
        read: async () => await merchants.downloadTransactions(code, 'text/csv', query),
      }}
      filters={
        <>
          <DateFilter label={texts.month} name="month" value={month} type="month" />
          <span class="quiet">{texts.statementHelp}</span>
          <Sums transactions={pages.items} isComplete={pages.isComplete} />
        </>
      }
      columns={[
        {
          title: texts.policy,
          cell: ({ policy_id, policy_number, product }) => (
            <>
              <a href={hrefOf(['policies', policy_id])}>{policy_number}</a>
              <bdi class="sub">{product}</bdi>
            </>
          ),
        },
        { title: texts.kind, cell: (transaction) => <TransactionKind transaction={transaction} /> },
        { title: texts.date, cell: ({ date }) => <Day day={date} /> },
        { title: texts.recorded, cell: ({ recorded_at }) => <Instant at={recorded_at} zone={zone} />, isMinor: true },
        { title: texts.amount, money: ({ amount, currency }) => [amount, currency] },
        { title: texts.tax, money: ({ tax, currency }) => [tax, currency] },
        {
          title: texts.commission,
          money: ({ commission, currency }) => [commission, currency],
        },
      ]}
    />
  );
}

interface SumsProps {
  readonly transactions: readonly { readonly kind: string; readonly amount: string; readonly currency: string }[];
  /** Whether these are all transactions of the month. */
  readonly isComplete: boolean;
}

/** The sums of the amounts by kind and currency, and of all. */
function Sums({ transactions, isComplete }: SumsProps) {
  const sums = new Map<string, bigint>();
  const totals = new Map<string, bigint>();
  const add = (to: Map<string, bigint>, name: string, amount: string): unknown =>
    to.set(name, (to.get(name) ?? 0n) + toMinorUnits(amount));
  for (const transaction of transactions) {
    const { amount, currency } = transaction;
    add(sums, `${transactionKind(transaction)} ${currency}`, amount);
    add(totals, `${isComplete ? texts.sum : texts.sumSoFar} ${currency}`, amount);
  }
  return (
    <ul class="row links small">
      {[...sums, ...totals].map(([name, sum]) => (
        <li key={name}>
          {name} <strong>{formatMoney(fromMinorUnits(sum))}</strong>
        </li>
      ))}
    </ul>
  );
}

/** Returns the last day of a month, `2026-11`. */
function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

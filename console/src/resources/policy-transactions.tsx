import type { Transaction } from '../../../clients/typescript/src/index.ts';
import { RequestTable } from '../components/request-table.tsx';
import { Day, TransactionKind } from '../components/values.tsx';
import { formatMoney, fromMinorUnits, toMinorUnits } from '../format.ts';
import type { RequestState } from '../requests/use-request.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';
import type { PointInTime } from './point-in-time.ts';

/** The transactions that an entry of the history has booked. */
export function EntryTransactions({ transactions }: { readonly transactions: readonly Transaction[] }) {
  if (transactions.length === 0) return null;
  return (
    <ul>
      {transactions.map((transaction) => (
        <li key={transaction.transaction_id}>
          <TransactionKind transaction={transaction} /> {formatMoney(transaction.amount, transaction.currency)} ·{' '}
          <Day day={transaction.date} />
        </li>
      ))}
    </ul>
  );
}

interface PolicyTransactionsProps {
  readonly state: RequestState<readonly Transaction[]>;
  readonly point: PointInTime;
  readonly referenceOf: (claimId: string) => string;
}

/** Transactions by the chosen day, as known at the chosen instant, with a running balance. */
export function PolicyTransactions({ state, point: { as_of, known_at }, referenceOf }: PolicyTransactionsProps) {
  const booked = (state.value ?? []).filter(
    ({ date, recorded_at }) =>
      (as_of === undefined || date <= as_of) &&
      (known_at === undefined || Date.parse(recorded_at) <= Date.parse(known_at)),
  );
  let sum = 0n;
  const rows = booked.map((transaction) => {
    sum += toMinorUnits(transaction.amount);
    return { ...transaction, balance: fromMinorUnits(sum) };
  });
  return (
    <RequestTable
      state={{ ...state, value: state.value && rows }}
      caption={texts.transactions}
      emptyText={state.value?.length === 0 ? texts.nothingBooked : texts.nothingBookedThen}
      columns={[
        { title: texts.date, cell: ({ date }) => <Day day={date} /> },
        { title: texts.kind, cell: (transaction) => <TransactionKind transaction={transaction} /> },
        {
          title: texts.claim,
          cell: ({ claim_id }) =>
            claim_id === null ? '–' : <a href={hrefOf(['claims', claim_id])}>{referenceOf(claim_id)}</a>,
        },
        { title: texts.amount, money: ({ amount, currency }) => [amount, currency] },
        { title: texts.balance, money: ({ balance, currency }) => [balance, currency] },
      ]}
    />
  );
}

import type { Policy } from '../../../clients/typescript/src/index.ts';
import { Tag } from '../components/badge.tsx';
import type { Column } from '../components/table.tsx';
import { Day } from '../components/values.tsx';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';

/** The columns that every list of policies has. */
export const policyColumns: readonly Column<Policy>[] = [
  {
    title: texts.number,
    cell: ({ policy_id, policy_number, product }) => (
      <>
        <a href={hrefOf(['policies', policy_id])}>{policy_number}</a>
        <bdi class="sub">{product.name}</bdi>
      </>
    ),
  },
  {
    title: texts.holder,
    cell: ({ policy_holder: { customer_id, customer_name } }) => (
      <a href={hrefOf(['customers', customer_id])}>{customer_name}</a>
    ),
  },
  { title: texts.premium, money: ({ premium, currency }) => [premium, currency] },
];

/** The cover today, and the days of the term. */
export const coverColumns: readonly Column<Policy>[] = [
  {
    title: texts.cover,
    cell: ({ cover, cancellation_date }) => (
      <>
        <Tag name={cover} />{' '}
        {cancellation_date !== null && (
          <span class="sub">
            {texts.ended} <Day day={cancellation_date} />
          </span>
        )}
      </>
    ),
  },
  { title: texts.from, cell: ({ effective_from }) => <Day day={effective_from} />, isMinor: true },
  { title: texts.through, cell: ({ effective_through }) => <Day day={effective_through} />, isMinor: true },
];

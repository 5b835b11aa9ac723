import type { Policy } from '../../../clients/typescript/src/index.ts';
import type { Column } from '../components/table.tsx';
import { formatMoney } from '../format.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';

/** The columns that every list of policies has. */
export const policyColumns: readonly Column<Policy>[] = [
  {
    title: texts.number,
    cell: ({ policy_id, policy_number }) => <a href={hrefOf(['policies', policy_id])}>{policy_number}</a>,
  },
  {
    title: texts.holder,
    cell: ({ policy_holder: { customer_id, customer_name } }) => (
      <a href={hrefOf(['customers', customer_id])}>{customer_name}</a>
    ),
  },
  { title: texts.product, cell: ({ product }) => product.name },
  { title: texts.premium, cell: ({ premium, currency }) => formatMoney(premium, currency), isNumber: true },
];

import { List } from '../components/list.tsx';
import { ModeFilter, modeQuery } from '../components/mode.tsx';
import { usePages } from '../requests/use-pages.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { coverColumns, policyColumns } from './policy-columns.tsx';

/** The policies of all merchants, or those of an insurer. */
export function AllPolicies({ session }: { readonly session: Session }) {
  const query = modeQuery(session);
  const pages = usePages(JSON.stringify(query), (options) => session.client.policies.list(query, options));
  return (
    <List
      title={texts.policies}
      pages={pages}
      emptyText={texts.noMatch}
      filters={<ModeFilter session={session} />}
      columns={[
        ...policyColumns,
        ...coverColumns,
        { title: texts.merchant, cell: ({ merchant }) => merchant, isMinor: true },
      ]}
    />
  );
}

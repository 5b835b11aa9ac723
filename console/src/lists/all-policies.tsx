import { chosenValue, SelectFilter } from '../components/filters.tsx';
import { List } from '../components/list.tsx';
import { ModeFilter, modeQuery } from '../components/mode.tsx';
import { usePages } from '../requests/use-pages.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { coverColumns, policyColumns } from './policy-columns.tsx';

/** The policies of all merchants, or those of an insurer. */
export function AllPolicies({ session }: { readonly session: Session }) {
  const cover = chosenValue('cover', ['waiting'] as const);
  const query = { ...modeQuery(session), cover };
  const pages = usePages(JSON.stringify(query), (options) => session.client.policies.list(query, options));
  return (
    <List
      title={texts.policies}
      pages={pages}
      emptyText={texts.noMatch}
      filters={
        <>
          <SelectFilter label={texts.cover} name="cover" values={['waiting']} value={cover ?? ''} />
          <ModeFilter session={session} />
        </>
      }
      columns={[
        ...policyColumns,
        ...coverColumns,
        { title: texts.merchant, cell: ({ merchant }) => merchant, isMinor: true },
      ]}
    />
  );
}

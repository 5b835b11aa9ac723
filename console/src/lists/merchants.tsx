import { Command } from '../actions/command.tsx';
import { newIdOf } from '../administer/new-id.ts';
import { List } from '../components/list.tsx';
import { usePages } from '../requests/use-pages.ts';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

/** All merchants, for a platform key. */
export function MerchantList({ session }: { readonly session: Session }) {
  const pages = usePages('', (options) => session.client.merchants.list({}, options));
  return (
    <List
      title={texts.merchants}
      pages={pages}
      emptyText={texts.noMerchants}
      actions={
        <Command
          session={session}
          name="RegisterMerchant"
          about={texts.merchants}
          look="primary"
          opens={(response) => ['merchants', newIdOf(response, 'short_code')]}
        />
      }
      columns={[
        {
          title: texts.name,
          cell: ({ name, short_code }) => <a href={hrefOf(['merchants', short_code ?? ''])}>{name}</a>,
        },
        { title: texts.shortCode, cell: ({ short_code }) => short_code ?? '–' },
        { title: texts.verified, cell: ({ is_active }) => (is_active ? texts.yes : texts.no) },
      ]}
    />
  );
}

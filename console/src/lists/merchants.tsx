import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { List } from './list.tsx';
import { usePages } from './pages.ts';

/** All merchants, for a key of the platform. */
export function MerchantList({ session: { client } }: { readonly session: Session }) {
  const pages = usePages('merchants', (options) => client.merchants.list({}, options));
  return (
    <List
      title={texts.merchants}
      pages={pages}
      whyEmpty={texts.noMerchants}
      columns={[
        {
          title: texts.name,
          of: ({ name, short_code }) => (
            <a href={hrefOf(['merchants', short_code ?? ''])}>
              <bdi>{name}</bdi>
            </a>
          ),
        },
        { title: texts.shortCode, of: ({ short_code }) => short_code ?? '–' },
        { title: texts.verified, of: ({ is_active }) => (is_active ? texts.yes : texts.no) },
      ]}
    />
  );
}

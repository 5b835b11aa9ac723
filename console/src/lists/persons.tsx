import { Tag } from '../components/badge.tsx';
import { List } from '../components/list.tsx';
import { Instant } from '../components/values.tsx';
import { usePages } from '../requests/use-pages.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

interface PlatformListProps {
  readonly session: Session;
}

/** The persons who may sign in, and those who were removed. */
export function PersonList({ session: { client } }: PlatformListProps) {
  const pages = usePages('', (options) => client.admin.persons({}, options));
  return (
    <List
      title={texts.persons}
      pages={pages}
      emptyText={texts.noPersons}
      columns={[
        {
          title: texts.name,
          cell: ({ name, email }) => (
            <>
              {name}
              <bdi class="sub">{email}</bdi>
            </>
          ),
        },
        { title: texts.role, cell: ({ role }) => texts.roles[role] },
        { title: texts.merchant, cell: ({ short_code }) => short_code ?? '–' },
        { title: texts.access, cell: ({ access }) => texts.accesses[access], isMinor: true },
        { title: texts.status, cell: ({ removed_at }) => <Tag name={removed_at === null ? 'active' : 'removed'} /> },
      ]}
    />
  );
}

/** The keys of the platform; those of a merchant are on the page of its environments. */
export function KeyList({ session: { client } }: PlatformListProps) {
  const pages = usePages('', (options) => client.admin.keys({}, options));
  return (
    <List
      title={texts.keys}
      pages={pages}
      emptyText={texts.noPlatformKeys}
      columns={[
        {
          title: texts.label,
          cell: ({ label, key_id }) => (
            <>
              {label}
              <code class="sub">{key_id}</code>
            </>
          ),
        },
        { title: texts.role, cell: ({ role }) => texts.roles[role] },
        { title: texts.issued, cell: ({ created_at }) => <Instant at={created_at} zone="UTC" />, isMinor: true },
        { title: texts.expires, cell: ({ expires_at }) => <Instant at={expires_at} zone="UTC" />, isMinor: true },
        { title: texts.status, cell: ({ revoked_at }) => <Tag name={revoked_at === null ? 'active' : 'revoked'} /> },
      ]}
    />
  );
}

import type { ApiKey } from '../../../clients/typescript/src/index.ts';
import { Command } from '../actions/command.tsx';
import { Tag } from '../components/badge.tsx';
import { List } from '../components/list.tsx';
import type { Column } from '../components/table.tsx';
import { Instant } from '../components/values.tsx';
import { usePages } from '../requests/use-pages.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { administerTexts as more } from '../texts-administer.ts';
import { IssueKey } from './issue-key.tsx';
import { useChoices, withoutRights } from './rights.ts';

/** The columns of a list of keys, with the button that revokes one. */
export function keyColumns(session: Session, zone: string): readonly Column<ApiKey>[] {
  return [
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
    { title: texts.issued, cell: ({ created_at }) => <Instant at={created_at} zone={zone} />, isMinor: true },
    { title: texts.expires, cell: ({ expires_at }) => <Instant at={expires_at} zone={zone} />, isMinor: true },
    {
      title: texts.status,
      cell: ({ key_id, label, revoked_at }) => (
        <div class="row">
          <Tag name={revoked_at === null ? 'active' : 'revoked'} />
          <Command
            key={key_id}
            session={session}
            name="RevokeApiKey"
            about={`${label}, ${key_id}`}
            given={{ key_id }}
            look="danger"
            isAllowed={revoked_at === null}
            notice={<p>{more.revokes}</p>}
          />
        </div>
      ),
    },
  ];
}

/** The keys of the platform; those of a merchant are on the page of its environments. */
export function KeyList({ session }: { readonly session: Session }) {
  const pages = usePages('', (options) => session.client.admin.keys({}, options));
  const choices = useChoices(session);
  return (
    <List
      title={texts.keys}
      pages={pages}
      emptyText={texts.noPlatformKeys}
      actions={
        <IssueKey
          session={session}
          about={texts.keys}
          look="primary"
          choices={choices}
          omitted={(values) => ['environment_id', 'person_id', ...withoutRights(values)]}
          required={['role']}
        />
      }
      columns={keyColumns(session, 'UTC')}
    />
  );
}

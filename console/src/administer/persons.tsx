import type { Person } from '../../../clients/typescript/src/index.ts';
import { Command } from '../actions/command.tsx';
import { Tag } from '../components/badge.tsx';
import { List } from '../components/list.tsx';
import { Table } from '../components/table.tsx';
import { Instant } from '../components/values.tsx';
import { formatMoney } from '../format.ts';
import { collect } from '../requests/read-all.ts';
import { usePages } from '../requests/use-pages.ts';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { administerTexts as more } from '../texts-administer.ts';
import { IssueKey } from './issue-key.tsx';
import { keyColumns } from './keys.tsx';
import { newIdOf } from './new-id.ts';
import { withoutRights, useChoices } from './rights.ts';
import { ThingPage } from './thing-page.tsx';

/** The persons who may sign in, and those who were removed. */
export function PersonList({ session }: { readonly session: Session }) {
  const pages = usePages('', (options) => session.client.admin.persons({}, options));
  const choices = useChoices(session);
  return (
    <List
      title={texts.persons}
      pages={pages}
      emptyText={texts.noPersons}
      actions={
        <Command
          session={session}
          name="AddPerson"
          about={texts.persons}
          look="primary"
          choices={choices}
          omitted={withoutRights}
          opens={(response) => ['persons', newIdOf(response, 'person_id')]}
        />
      }
      columns={[
        {
          title: texts.name,
          cell: ({ person_id, name, email }) => (
            <>
              <a href={hrefOf(['persons', person_id])}>{name}</a>
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

/** A person, with the keys of the person, and what an administrator does with them. */
export function PersonPage({ id, session }: { readonly id: string; readonly session: Session }) {
  const { admin, merchants } = session.client;
  const choices = useChoices(session);
  const state = useRequest(id, async (options) => {
    const person = (await collect(admin.persons({}, options))).find(({ person_id }) => person_id === id);
    if (person === undefined) return null;
    const { short_code } = person;
    const environments = short_code === null ? [] : await collect(merchants.environments(short_code, {}, options));
    const keys = await Promise.all([
      collect(admin.keys({}, options)),
      ...environments.map(async (one) => await collect(merchants.keys(one.environment_id, {}, options))),
    ]);
    return { person, environments, keys: keys.flat().filter(({ person_id }) => person_id === id) };
  });
  return (
    <ThingPage
      list={['persons', texts.persons]}
      state={state}
      show={({ person, environments, keys }) => {
        const { name, email, role, short_code, provider_id, access, removed_at } = person;
        const shared = {
          session,
          about: `${name}, ${email}`,
          given: { person_id: id },
          isAllowed: removed_at === null,
        };
        const environment = role === 'merchant' ? [] : ['environment_id'];
        const insurer = choices.provider_id.find(({ value }) => value === provider_id)?.label ?? provider_id;
        return {
          name,
          status: removed_at === null ? 'active' : 'removed',
          facts: {
            [texts.email]: email,
            [texts.role]: texts.roles[role],
            [texts.merchant]: short_code !== null && <a href={hrefOf(['merchants', short_code])}>{short_code}</a>,
            [texts.insurer]: provider_id !== null && <a href={hrefOf(['insurers', provider_id])}>{insurer}</a>,
            [texts.access]: texts.accesses[access],
            [more.authority]: authorityOf(person),
            [more.added]: <Instant at={person.added_at} zone="UTC" />,
            [more.removed]: removed_at !== null && <Instant at={removed_at} zone="UTC" />,
          },
          actions: (
            <>
              <Command {...shared} name="UpdatePerson" choices={choices} omitted={withoutRights} initial={person} />
              <IssueKey
                {...shared}
                omitted={['role', 'provider_id', 'authority', 'access', ...environment]}
                required={['environment_id']}
                choices={{
                  environment_id: environments.map(({ environment_id, environment_name }) => ({
                    value: String(environment_id),
                    label: environment_name,
                  })),
                }}
              />
              <Command {...shared} name="EndSessions" />
              <Command {...shared} name="RemovePerson" look="danger" />
            </>
          ),
          children: (
            <Table
              caption={texts.keys}
              isSection
              emptyText={more.noKeys}
              rows={keys}
              columns={keyColumns(session, 'UTC')}
            />
          ),
        };
      }}
    />
  );
}

function authorityOf({ authority }: Person): string {
  if (authority === null) return texts.noLimit;
  const { currency, approve_up_to, pay_up_to } = authority;
  const bound = (amount: string | null): string => (amount === null ? texts.noLimit : formatMoney(amount, currency));
  return more.decides(bound(approve_up_to), bound(pay_up_to));
}

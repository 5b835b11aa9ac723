import type { EnvironmentItem } from '../../../clients/typescript/src/index.ts';
import { useAddressDefaults } from '../components/filters.tsx';
import type { MerchantListProps } from '../components/list.tsx';
import { LoadStatus } from '../components/load-status.tsx';
import { Mode } from '../components/mode.tsx';
import { Table } from '../components/table.tsx';
import { Instant } from '../components/values.tsx';
import { collect } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

/** The environments of a merchant, with the keys that may call them. */
export function Environments({ session, code }: MerchantListProps) {
  useAddressDefaults({ merchant: code });
  const environments = useRequest(
    code,
    async (options) => await collect(session.client.merchants.environments(code, {}, options)),
  );
  return (
    <>
      <div class="row heading">
        <h1>{texts.environments}</h1>
        <a class="quiet" href={hrefOf(['merchants', code])}>
          {code}
        </a>
      </div>
      <LoadStatus state={environments} />
      {environments.value?.map((environment) => (
        <Environment key={environment.environment_id} environment={environment} session={session} />
      ))}
    </>
  );
}

function Environment({ environment, session }: { readonly environment: EnvironmentItem; readonly session: Session }) {
  const { environment_id: id, environment_name: name, test_mode, time_zone } = environment;
  const keys = useRequest(String(id), async (options) => await collect(session.client.merchants.keys(id, {}, options)));
  return (
    <section class="card">
      <header>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <Mode isTest={test_mode} />
        <span class="quiet small">{texts.environmentOf(id, time_zone)}</span>
      </header>
      <LoadStatus state={keys} />
      {keys.value !== undefined && (
        <Table
          caption={texts.keysOf(name)}
          hasQuietCaption
          emptyText={texts.noKeys}
          rows={keys.value}
          columns={[
            { title: texts.label, cell: ({ label }) => label },
            { title: texts.keyId, cell: ({ key_id }) => <code>{key_id}</code> },
            { title: texts.role, cell: ({ role }) => texts.roles[role] },
            { title: texts.issued, cell: ({ created_at }) => <Instant at={created_at} zone={time_zone} /> },
            {
              title: texts.revoked,
              cell: ({ revoked_at }) => (revoked_at === null ? texts.no : <Instant at={revoked_at} zone={time_zone} />),
            },
          ]}
        />
      )}
    </section>
  );
}

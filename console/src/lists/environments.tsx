import type { EnvironmentItem } from '../../../clients/typescript/src/index.ts';
import { all, useLoaded } from '../load.ts';
import { Mode, Status } from '../parts/failure.tsx';
import { Table } from '../parts/table.tsx';
import { Instant } from '../parts/values.tsx';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import type { MerchantListProps } from './merchant-lists.tsx';

/** The environments of a merchant, with the keys that may call them. */
export function Environments({ session, code }: MerchantListProps) {
  const environments = useLoaded(
    code,
    async (options) => await all(session.client.merchants.environments(code, {}, options)),
  );
  return (
    <>
      <h1>{texts.environments}</h1>
      <Status loaded={environments} />
      {environments.value?.map((environment) => (
        <Environment key={environment.environment_id} environment={environment} session={session} />
      ))}
    </>
  );
}

function Environment({ environment, session }: { readonly environment: EnvironmentItem; readonly session: Session }) {
  const { environment_id: id, environment_name: name, test_mode, time_zone } = environment;
  const keys = useLoaded(String(id), async (options) => await all(session.client.merchants.keys(id, {}, options)));
  return (
    <section>
      <h2>
        <bdi>{name}</bdi> <Mode isTest={test_mode} /> <span class="quiet">{texts.environmentOf(id, time_zone)}</span>
      </h2>
      <Status loaded={keys} />
      {keys.value !== undefined && (
        <Table
          caption={texts.keysOf(name)}
          whyEmpty={texts.noKeys}
          rows={keys.value}
          columns={[
            { title: texts.label, of: ({ label }) => label },
            { title: texts.keyId, of: ({ key_id }) => <code>{key_id}</code> },
            { title: texts.role, of: ({ role }) => texts.roles[role] },
            { title: texts.issued, of: ({ created_at }) => <Instant at={created_at} zone={time_zone} /> },
            {
              title: texts.revoked,
              of: ({ revoked_at }) =>
                revoked_at === null ? texts.mayCall : <Instant at={revoked_at} zone={time_zone} />,
            },
          ]}
        />
      )}
    </section>
  );
}

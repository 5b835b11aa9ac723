import type { EnvironmentItem } from '../../../clients/typescript/src/index.ts';
import { Command } from '../actions/command.tsx';
import { IssueKey } from '../administer/issue-key.tsx';
import { keyColumns } from '../administer/keys.tsx';
import { useAddressDefaults } from '../components/filters.tsx';
import type { MerchantListProps } from '../components/list.tsx';
import { LoadStatus } from '../components/load-status.tsx';
import { Mode } from '../components/mode.tsx';
import { Table } from '../components/table.tsx';
import { collect } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { administerTexts } from '../texts-administer.ts';

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
        <div class="row push">
          <Command
            session={session}
            name="CreateEnvironment"
            about={code}
            given={{ short_code: code }}
            initial={{ test_mode: false, time_zone: 'UTC' }}
            look={environments.value?.length === 0 ? 'primary' : 'plain'}
          />
        </div>
      </div>
      <LoadStatus state={environments} />
      {environments.value?.length === 0 && <p class="card empty">{administerTexts.noEnvironments}</p>}
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
        <div class="row push">
          <IssueKey
            session={session}
            about={`${name}, ${id}`}
            given={{ environment_id: id }}
            omitted={['role', 'provider_id', 'person_id', 'authority']}
          />
        </div>
      </header>
      <LoadStatus state={keys} />
      {keys.value !== undefined && (
        <Table
          caption={texts.keysOf(name)}
          hasQuietCaption
          emptyText={texts.noKeys}
          rows={keys.value}
          columns={keyColumns(session, time_zone)}
        />
      )}
    </section>
  );
}

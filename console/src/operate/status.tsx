import type { Rebuild } from '../../../clients/typescript/src/index.ts';
import { Card } from '../components/card.tsx';
import { LoadStatus } from '../components/load-status.tsx';
import { Table } from '../components/table.tsx';
import { Fields, Instant } from '../components/values.tsx';
import { useReloadEvery, useRequest } from '../requests/use-request.ts';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { administerTexts as more } from '../texts-administer.ts';

const POLL_MS = 5_000;

/** The health of the installation: one light for each check, with its reason and the page of the runbook. */
export function InstallationStatus({ session: { client } }: { readonly session: Session }) {
  const state = useRequest('', async (options) => {
    const [status, rebuilds] = await Promise.all([client.admin.status(options), client.admin.recentRebuilds(options)]);
    return { ...status, rebuild: rebuilds.find((rebuild) => rebuild.state === 'completed') };
  });
  useReloadEvery(state, POLL_MS);
  return (
    <>
      <h1>{texts.installationStatus}</h1>
      <LoadStatus state={state} isPolled={state.value !== undefined} />
      {state.value !== undefined && <Status status={state.value} />}
    </>
  );
}

type StatusValue = Awaited<ReturnType<Session['client']['admin']['status']>> & {
  /** The last that is complete. */
  readonly rebuild: Rebuild | undefined;
};

function Status({ status }: { readonly status: StatusValue }) {
  const { checks, head, read_models, roles, relay, disk, rebuild } = status;
  return (
    <>
      <section class="card">
        <ul class="checks">
          {checks.map(({ name, ok, reason }) => (
            <li key={name}>
              <Light ok={ok} reason={reason} />{' '}
              <a href={`../docs/guides/runbook#${encodeURIComponent(name)}`} target="_blank" rel="noopener">
                {name}
              </a>{' '}
              {reason !== null && <bdi>{reason}</bdi>}
            </li>
          ))}
        </ul>
      </section>
      <Card>
        <Fields
          fields={{
            [texts.head]: head,
            [more.generation]:
              rebuild === undefined ? more.firstGeneration : <Instant at={rebuild.requested_at} zone="UTC" />,
            [texts.relay]: `${relay.position ?? '–'}${relay.lag_seconds === null ? '' : texts.behind(relay.lag_seconds)}`,
            [texts.disk]:
              disk.free_bytes !== null && disk.total_bytes !== null && texts.free(disk.free_bytes, disk.total_bytes),
          }}
        />
      </Card>
      <Table
        caption={texts.leaders}
        isSection
        emptyText={texts.noLeaders}
        rows={roles}
        columns={[
          { title: texts.role, cell: ({ name }) => name },
          { title: texts.leader, cell: ({ leader }) => leader ?? texts.none },
          { title: texts.since, cell: ({ since }) => <Instant at={since} zone="UTC" /> },
        ]}
      />
      <Table
        caption={texts.readModels}
        isSection
        emptyText={texts.noReadModels}
        rows={read_models}
        columns={[
          { title: texts.name, cell: ({ name }) => name },
          { title: texts.position, cell: ({ position }) => position ?? '–', isNumber: true },
          {
            title: more.lag,
            cell: ({ position }) =>
              position === null || head === null ? '–' : String(BigInt(head) - BigInt(position)),
            isNumber: true,
          },
          {
            title: texts.parkedDocuments,
            cell: ({ parked }) =>
              parked === null || parked === 0 ? (parked ?? '–') : <a href={hrefOf(['parked'])}>{parked}</a>,
            isNumber: true,
          },
        ]}
      />
    </>
  );
}

/** The light of a check. A check that is ok with a reason needs a look: the reason is a warning. */
function Light({ ok, reason }: { readonly ok: boolean; readonly reason: string | null }) {
  const [light, meaning] = !ok
    ? (['bad', 'bad'] as const)
    : reason === null
      ? (['ok', 'good'] as const)
      : (['warning', 'warn'] as const);
  return <span class={`badge ${meaning}`}>{texts.lights[light]}</span>;
}

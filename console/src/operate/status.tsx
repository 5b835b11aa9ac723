import { useLoaded, useReloadEvery } from '../load.ts';
import { Status } from '../parts/failure.tsx';
import { Table } from '../parts/table.tsx';
import { Fields, Instant } from '../parts/values.tsx';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

const WATCH_MS = 5_000;

/** The health of the installation: one light for each check, with its reason and the page of the runbook. */
export function InstallationStatus({ session: { client } }: { readonly session: Session }) {
  const loaded = useLoaded('status', async (options) => await client.admin.status(options));
  useReloadEvery(loaded, WATCH_MS);
  const status = loaded.value;
  if (status === undefined)
    return (
      <>
        <h1>{texts.operation}</h1>
        <Status loaded={loaded} />
      </>
    );
  const { checks, head, read_models, roles, relay, disk } = status;
  return (
    <>
      <h1>{texts.operation}</h1>
      {loaded.error !== undefined && <Status loaded={loaded} />}
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
      <Fields
        fields={[
          [texts.head, head],
          [
            texts.relay,
            relay === null
              ? null
              : `${relay.position ?? '–'}${relay.lag_seconds === null ? '' : texts.behind(relay.lag_seconds)}`,
          ],
          [
            texts.disk,
            disk.free_bytes === null || disk.total_bytes === null
              ? null
              : texts.free(disk.free_bytes, disk.total_bytes),
          ],
        ]}
      />
      <Table
        caption={texts.leaders}
        whyEmpty={texts.noLeaders}
        rows={roles}
        columns={[
          { title: texts.role, of: ({ name }) => name },
          { title: texts.leader, of: ({ leader }) => leader ?? texts.none },
          { title: texts.since, of: ({ since }) => <Instant at={since} zone="UTC" /> },
        ]}
      />
      <Table
        caption={texts.readModels}
        whyEmpty={texts.noReadModels}
        rows={read_models}
        columns={[
          { title: texts.name, of: ({ name }) => name },
          { title: texts.position, of: ({ position }) => position ?? '–', isNumber: true },
          {
            title: texts.parkedDocuments,
            of: ({ parked }) =>
              parked === null || parked === 0 ? (parked ?? '–') : <a href={hrefOf(['parked'])}>{parked}</a>,
            isNumber: true,
          },
        ]}
      />
    </>
  );
}

/** A check that is ok with a reason needs a look: the reason is a warning. */
function Light({ ok, reason }: { readonly ok: boolean; readonly reason: string | null }) {
  const light = !ok ? 'bad' : reason === null ? 'ok' : 'warning';
  return (
    <>
      <span class={`light ${light}`} aria-hidden="true" /> <strong>{texts.lights[light]}</strong>
    </>
  );
}

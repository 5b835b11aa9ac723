import { List } from '../lists/list.tsx';
import { Choice } from '../parts/filters.tsx';
import { usePages } from '../lists/pages.ts';
import { useLoaded, useReloadEvery } from '../load.ts';
import { Status } from '../parts/failure.tsx';
import { Table } from '../parts/table.tsx';
import { Instant, Tag } from '../parts/values.tsx';
import { hrefOf, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

interface Props {
  readonly session: Session;
}

const WATCH_MS = 1_000;

/** Documents that could not be processed. */
export function ParkedDocuments({ session: { client } }: Props) {
  const pages = usePages('parked', (options) => client.admin.parkedDocuments({}, options));
  return (
    <List
      title={texts.parkedDocuments}
      pages={pages}
      whyEmpty={texts.nothingParked}
      columns={[
        { title: texts.collection, of: ({ collection }) => collection },
        { title: texts.key, of: ({ key }) => <code>{key}</code> },
        {
          title: texts.event,
          of: ({ event_type, event_id }) => (
            <span>
              {event_type} <code>{event_id}</code>
            </span>
          ),
        },
        { title: texts.position, of: ({ position }) => position, isNumber: true },
        { title: texts.reason, of: ({ reason }) => reason },
      ]}
    />
  );
}

const MAIL_STATUSES = ['requested', 'waiting', 'sent', 'parked', 'dropped'];

/** Mails, the parked ones at first. */
export function Mails({ session: { client } }: Props) {
  const { status = 'parked' } = route.value.query;
  const query = status === 'all' ? {} : { status: status as 'parked' };
  const pages = usePages(JSON.stringify(query), (options) => client.admin.mailJobs(query, options));
  return (
    <List
      title={texts.mails}
      pages={pages}
      whyEmpty={texts.noMails}
      filters={<Choice label={texts.status} name="status" values={MAIL_STATUSES} all="all" initial="parked" />}
      columns={[
        { title: texts.requested, of: ({ created_at }) => <Instant at={created_at} zone="UTC" /> },
        { title: texts.kind, of: ({ kind }) => <Tag name={kind} /> },
        { title: texts.status, of: ({ status: name }) => <Tag name={name} /> },
        { title: texts.reason, of: ({ reason, last_error }) => [reason, last_error].filter(Boolean).join(', ') || '–' },
        { title: texts.attempts, of: ({ attempts }) => String(attempts), isNumber: true },
        { title: texts.nextAttempt, of: ({ next_attempt_at }) => <Instant at={next_attempt_at} zone="UTC" /> },
        { title: texts.id, of: ({ job_id }) => <code>{job_id}</code> },
      ]}
    />
  );
}

/** Rebuilds of read models, watched while one runs. */
export function Rebuilds({ session: { client } }: Props) {
  const loaded = useLoaded('rebuilds', async (options) => await client.admin.recentRebuilds(options));
  const isRunning = loaded.value?.some(({ state }) => state === 'running') === true;
  useReloadEvery(loaded, WATCH_MS, isRunning);
  return (
    <>
      <h1>{texts.rebuilds}</h1>
      {(loaded.value === undefined || loaded.error !== undefined) && <Status loaded={loaded} />}
      {loaded.value !== undefined && (
        <Table
          caption={texts.rebuilds}
          whyEmpty={texts.noRebuilds}
          rows={loaded.value}
          columns={[
            { title: texts.requested, of: ({ requested_at }) => <Instant at={requested_at} zone="UTC" /> },
            { title: texts.status, of: ({ state }) => <Tag name={state} /> },
            {
              title: texts.progress,
              of: ({ progress }) =>
                progress === null ? (
                  '–'
                ) : (
                  <progress max={Number(progress.head ?? 1)} value={Number(progress.position ?? 0)} />
                ),
            },
            { title: texts.collections, of: ({ collections }) => collections.join(', ') },
            { title: texts.reason, of: ({ reason }) => reason ?? '–' },
          ]}
        />
      )}
      <p>
        <a href={hrefOf(['status'])}>{texts.operation}</a>
      </p>
    </>
  );
}

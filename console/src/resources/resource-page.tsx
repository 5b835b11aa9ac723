import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type HistoryEntry, NotFoundError, SuretyError } from '../../../clients/typescript/src/index.ts';
import { Curl } from '../components/curl.tsx';
import { LoadStatus } from '../components/load-status.tsx';
import { Mode } from '../components/mode.tsx';
import { formatDay } from '../format.ts';
import type { RequestState } from '../requests/use-request.ts';
import { route } from '../route.ts';
import { todayIn } from '../session.ts';
import { texts } from '../texts.ts';
import { Differences } from './differences.tsx';
import { type EntryDetail, History } from './history.tsx';
import { HistoryDownloads, type HistoryDownloadsProps } from './history-downloads.tsx';
import type { PointInTime, PointInTimeView } from './point-in-time.ts';
import { PointInTimeControls } from './point-in-time-controls.tsx';

interface ResourcePageProps<T> {
  readonly kind: string;
  /** Number or name of the resource. */
  readonly title: string;
  /** Undefined while it is not known, and for a resource of both modes. */
  readonly isTest: boolean | undefined;
  /** What the title of the page calls it instead of the id in the address. No personal data. */
  readonly pageTitle?: string | undefined;
  readonly zone: string;
  /** The view without parameters. */
  readonly current: RequestState<PointInTimeView<T>>;
  /** The view of the chosen day and instant; `current` itself without them. */
  readonly view: RequestState<PointInTimeView<T> | undefined>;
  readonly history: RequestState<readonly HistoryEntry[]>;
  /** The entries of the resource itself, where the history has those of others too; all by default. */
  readonly ownEntries?: readonly HistoryEntry[];
  /** Last agreed day, where it may be after today. */
  readonly lastAgreedDay?: string | undefined;
  /** Path of the API, without parameters. */
  readonly apiPath: string;
  /** Parameters of the request beside those of the address. */
  readonly apiQuery?: Readonly<Record<string, string | undefined>>;
  readonly children: (resource: T, point: PointInTime) => ComponentChildren;
  /** What else belongs to an entry of the history. */
  readonly detail?: EntryDetail;
  readonly historyDownload: HistoryDownloadsProps;
  readonly historyNotice?: ComponentChildren;
}

/** A resource on any day as known at any instant, and its history beside it. */
export function ResourcePage<T>(props: ResourcePageProps<T>) {
  const { kind, title, isTest, zone, current, view, history, ownEntries } = props;
  const { lastAgreedDay, apiPath, apiQuery } = props;
  useEffect(() => {
    if (props.pageTitle !== undefined) document.title = [kind, props.pageTitle, texts.surety].join(' · ');
  }, [props.pageTitle]);
  const entries = history.value ?? [];
  const firstDay = firstDayOf(ownEntries ?? entries);
  const { as_of } = route.value.query;
  const heading = (
    <h1>
      <span class="quiet">{kind}</span> <bdi>{title}</bdi> {isTest !== undefined && <Mode isTest={isTest} />}
    </h1>
  );
  // A resource that does not exist now has no history either: one message is enough.
  if (current.error !== undefined && current.value === undefined)
    return (
      <>
        {heading}
        <LoadStatus state={current} />
        {current.error instanceof NotFoundError && <p class="quiet">{texts.notVisible}</p>}
      </>
    );
  return (
    <article class={isTest === undefined ? '' : isTest ? 'mode-test' : 'mode-live'}>
      <header>
        {heading}
        <p class="quiet">{texts.zone(zone)}</p>
      </header>
      <PointInTimeControls
        entries={ownEntries ?? entries}
        zone={zone}
        today={todayIn(zone)}
        lastAgreedDay={lastAgreedDay}
      />
      <div class="resource">
        <section aria-label={texts.details}>
          {isNotYet(view.error) && as_of !== undefined && firstDay !== undefined && as_of < firstDay ? (
            <p class="notice" role="alert">
              {texts.notYet(formatDay(firstDay))}
            </p>
          ) : (
            <LoadStatus state={view} />
          )}
          {view.value !== undefined && (
            <>
              {view !== current && current.value !== undefined && (
                <Differences before={view.value.resource} after={current.value.resource} />
              )}
              {props.children(view.value.resource, view.value.point)}
              <Curl path={apiPath} query={{ ...apiQuery, ...view.value.point }} />
            </>
          )}
        </section>
        <section aria-label={texts.history}>
          <h2>{texts.history}</h2>
          <LoadStatus state={history} />
          {props.historyNotice}
          {history.value !== undefined && <History entries={entries} zone={zone} detail={props.detail} />}
          <HistoryDownloads {...props.historyDownload} />
          <Curl
            path={`${apiPath}history/`}
            query={{ environment_id: apiQuery?.['environment_id'] }}
            accept="application/x-ndjson"
          />
        </section>
      </div>
    </article>
  );
}

function firstDayOf(entries: readonly HistoryEntry[]): string | undefined {
  return entries.flatMap(({ effective_at }) => effective_at ?? []).toSorted()[0];
}

function isNotYet(error: unknown): boolean {
  return error instanceof SuretyError && error.code === 'not_in_force_yet';
}

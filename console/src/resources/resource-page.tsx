import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type HistoryEntry, NotFoundError, SuretyError } from '../../../clients/typescript/src/index.ts';
import { Actions } from '../components/actions.tsx';
import { Curl } from '../components/curl.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { LoadStatus } from '../components/load-status.tsx';
import { Mode } from '../components/mode.tsx';
import { formatDay } from '../format.ts';
import type { HistoryDownload } from '../requests/read-all.ts';
import type { RequestState } from '../requests/use-request.ts';
import { route } from '../route.ts';
import { todayIn } from '../session.ts';
import { texts } from '../texts.ts';
import { Differences } from './differences.tsx';
import { type EntryDetail, History } from './history.tsx';
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
  /** Where the resource belongs: links above its name. */
  readonly trail: ComponentChildren;
  /** What stands beside the name: its state, and who or what it is about. */
  readonly heading?: (resource: T) => ComponentChildren;
  /** What a person does with the resource. */
  readonly actions?: (resource: T, point: PointInTime) => ComponentChildren;
  /** The first facts, over the whole width. */
  readonly facts: (resource: T, point: PointInTime) => ComponentChildren;
  /** What is beside the history. */
  readonly children?: (resource: T, point: PointInTime) => ComponentChildren;
  /** What else belongs to an entry of the history. */
  readonly detail?: EntryDetail;
  /** The whole history, and the number or name of the resource for the names of its files. */
  readonly historyDownload: { readonly name: string; readonly download: HistoryDownload };
  readonly historyNotice?: ComponentChildren;
}

/** A resource on any day as known at any instant, and its history beside it. */
export function ResourcePage<T>(props: ResourcePageProps<T>) {
  const { kind, title, isTest, zone, current, view, history, ownEntries } = props;
  const { lastAgreedDay, apiPath, apiQuery, historyDownload } = props;
  useEffect(() => {
    if (props.pageTitle !== undefined) document.title = [kind, props.pageTitle, texts.surety].join(' · ');
  }, [props.pageTitle]);
  const entries = history.value ?? [];
  const firstDay = firstDayOf(ownEntries ?? entries);
  const { as_of } = route.value.query;
  const name = (
    <h1>
      <span class="hidden">{kind}</span> <bdi>{title}</bdi>
    </h1>
  );
  // A resource that does not exist now has no history either: one message is enough.
  if (current.error !== undefined && current.value === undefined)
    return (
      <>
        {name}
        <LoadStatus state={current} />
        {current.error instanceof NotFoundError && <p class="quiet">{texts.notVisible}</p>}
      </>
    );
  const seen = view.value;
  return (
    <article class="stack wide">
      <header class="stack tight">
        <p class="trail small quiet">{props.trail}</p>
        <div class="row heading">
          {name}
          {isTest === true && <Mode isTest />}
          {seen !== undefined && props.heading?.(seen.resource)}
          <PointInTimeControls
            entries={ownEntries ?? entries}
            zone={zone}
            today={todayIn(zone)}
            lastAgreedDay={lastAgreedDay}
          />
          {seen !== undefined && props.actions !== undefined && (
            <Actions>{props.actions(seen.resource, seen.point)}</Actions>
          )}
        </div>
      </header>
      {isNotYet(view.error) && as_of !== undefined && firstDay !== undefined && as_of < firstDay ? (
        <p class="notice" role="alert">
          {texts.notYet(formatDay(firstDay))}
        </p>
      ) : (
        <LoadStatus state={view} />
      )}
      {seen !== undefined && view !== current && current.value !== undefined && (
        <Differences before={seen.resource} after={current.value.resource} />
      )}
      {seen !== undefined && props.facts(seen.resource, seen.point)}
      <div class={props.children === undefined ? 'stack' : 'split'}>
        {props.children !== undefined && (
          <section class="stack" aria-label={texts.details}>
            {seen !== undefined && props.children(seen.resource, seen.point)}
          </section>
        )}
        <section class="card" aria-label={texts.history}>
          <header>
            <h2>{texts.history}</h2>
          </header>
          <div class="body stack">
            <LoadStatus state={history} />
            {props.historyNotice}
            {history.value !== undefined && <History entries={entries} zone={zone} detail={props.detail} />}
          </div>
          <footer class="stack tight">
            <div class="row">
              <DownloadButton
                label={texts.historyAs('CSV')}
                file={`${historyDownload.name} history.csv`}
                read={async () => await historyDownload.download('text/csv')}
              />
              <DownloadButton
                label={texts.historyAs('JSON Lines')}
                file={`${historyDownload.name} history.jsonl`}
                read={async () => await historyDownload.download('application/x-ndjson')}
              />
            </div>
            {seen !== undefined && <Curl path={apiPath} query={{ ...apiQuery, ...seen.point }} />}
            <Curl
              path={`${apiPath}history/`}
              query={{ environment_id: apiQuery?.['environment_id'] }}
              accept="application/x-ndjson"
            />
          </footer>
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

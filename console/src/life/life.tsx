import type { ComponentChildren } from 'preact';
import type { HistoryEntry } from '../../../clients/typescript/src/index.ts';
import { dayOf } from '../format.ts';
import type { Loaded } from '../load.ts';
import { Mode, Status } from '../parts/failure.tsx';
import { Curl } from '../parts/values.tsx';
import { route } from '../route.ts';
import { serviceTime } from '../session.ts';
import { texts } from '../texts.ts';
import { Differences } from './differences.tsx';
import { History, type EntryDetail } from './history.tsx';
import { Moments } from './moments.tsx';

export interface LifeProps<T> {
  readonly kind: string;
  /** The number of the thing, or what else it is called by. */
  readonly title: string;
  readonly isTest: boolean | undefined;
  readonly zone: string;
  /** The view without parameters. */
  readonly current: Loaded<T>;
  /** The view of the chosen day and knowledge; `current` itself without them. */
  readonly view: Loaded<T | undefined>;
  readonly history: Loaded<readonly HistoryEntry[]>;
  /** The last agreed day, where it may be after today. */
  readonly lastDay?: string | undefined;
  /** Path of the API, without parameters. */
  readonly apiPath: string;
  readonly children: (shown: T) => ComponentChildren;
  /** What else belongs to an entry of the history. */
  readonly detail?: EntryDetail;
  readonly historyNotice?: ComponentChildren;
}

/** The life of a thing: what it is, on any day as known at any instant, and its history beside it. */
export function Life<T>(props: LifeProps<T>) {
  const { kind, title, isTest, zone, current, view, history, lastDay, apiPath, children, detail, historyNotice } =
    props;
  const { environment_id } = route.value.query;
  const entries = history.value ?? [];
  const search = new URLSearchParams(route.value.query).toString();
  const heading = (
    <h1>
      <span class="quiet">{kind}</span> <bdi>{title}</bdi> {isTest !== undefined && <Mode isTest={isTest} />}
    </h1>
  );
  // What is not there now has no history either: one message is enough.
  if (current.error !== undefined && current.value === undefined)
    return (
      <>
        {heading}
        <Status loaded={current} />
      </>
    );
  return (
    <article class={isTest === undefined ? '' : isTest ? 'world-test' : 'world-live'}>
      <header>
        {heading}
        <p class="quiet">{texts.zone(zone)}</p>
      </header>
      <Moments entries={entries} zone={zone} today={dayOf(serviceTime.value, zone)} lastDay={lastDay} />
      <div class="life">
        <section aria-label={texts.whatItIs}>
          <Status loaded={view} />
          {view.value !== undefined && (
            <>
              {view !== current && current.value !== undefined && (
                <Differences before={view.value} after={current.value} />
              )}
              {children(view.value)}
              <Curl path={`${apiPath}${search === '' ? '' : `?${search}`}`} />
            </>
          )}
        </section>
        <section aria-label={texts.history}>
          <h2>{texts.history}</h2>
          <Status loaded={history} />
          {historyNotice}
          {history.value !== undefined && <History entries={entries} zone={zone} detail={detail} />}
          <Curl
            path={`${apiPath}history/${environment_id === undefined ? '' : `?environment_id=${environment_id}`}`}
            accept="application/x-ndjson"
          />
        </section>
      </div>
    </article>
  );
}

import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HistoryEntry } from '../../../clients/typescript/src/index.ts';
import { SelectFilter } from '../components/filters.tsx';
import { useShortcut } from '../components/shortcuts.tsx';
import { Instant, Json } from '../components/values.tsx';
import { dayNumber, dayOf, formatDayOfYear, formatMinute, labelOf, memberLabel } from '../format.ts';
import { replaceQuery, route } from '../route.ts';
import { texts } from '../texts.ts';

export type EntryDetail = (entry: HistoryEntry) => ComponentChildren;

const LONG_GAP_DAYS = 30;

interface HistoryProps {
  readonly entries: readonly HistoryEntry[];
  readonly zone: string;
  readonly detail: EntryDetail | undefined;
}

/** A history, newest first. "o" opens and closes all entries; the entry that the address names is open. */
export function History({ entries, zone, detail }: HistoryProps) {
  const list = useRef<HTMLOListElement>(null);
  const { event, type: kind = '' } = route.value.query;
  const kinds = [...new Set(entries.map(({ type }) => type))].toSorted();
  const filtered = entries.filter(({ type }) => kind === '' || type === kind).toReversed();
  const toggleAll = (): void => {
    const all = [...(list.current?.querySelectorAll<HTMLDetailsElement>('details.entry') ?? [])];
    const opens = all.some(({ open }) => !open);
    for (const one of all) one.open = opens;
  };
  useShortcut('o', toggleAll);
  useEffect(() => list.current?.querySelector('details.entry[open]')?.scrollIntoView(), [event]);
  if (entries.length === 0) return <p class="quiet">{texts.noHistory}</p>;
  return (
    <>
      <div class="row history-filter">
        <SelectFilter
          label={<span class="hidden">{texts.kindOfEntry}</span>}
          name="type"
          values={kinds}
          value={kind}
          none={['', texts.allKinds(entries.length)]}
        />
        <button type="button" class="quiet" onClick={toggleAll}>
          {texts.openAll} <kbd>o</kbd>
        </button>
      </div>
      <ol class="line" ref={list}>
        {filtered.map((entry, index) => (
          <Fragment key={entry.event_id}>
            {/* Between the entries of one type others may have been recorded. */}
            {kind === '' && <Gap later={filtered[index - 1]} earlier={entry} />}
            <Entry entry={entry} zone={zone} detail={detail} isNamed={entry.event_id === event} />
          </Fragment>
        ))}
      </ol>
    </>
  );
}

/** A long time in which nothing was recorded. */
function Gap({ later, earlier }: { readonly later: HistoryEntry | undefined; readonly earlier: HistoryEntry }) {
  if (typeof later?.recorded_at !== 'string' || earlier.recorded_at === null) return null;
  const days = dayNumber(later.recorded_at) - dayNumber(earlier.recorded_at);
  return days <= LONG_GAP_DAYS ? null : <li class="gap small quiet">{texts.gap(days)}</li>;
}

interface EntryProps {
  readonly entry: HistoryEntry;
  readonly zone: string;
  readonly detail: EntryDetail | undefined;
  readonly isNamed: boolean;
}

function Entry({ entry, zone, detail, isNamed }: EntryProps) {
  const { recorded_at, effective_at, actor, summary, data } = entry;
  const [isOpen, setOpen] = useState(isNamed);
  const recordedDay = recorded_at === null ? null : dayOf(new Date(recorded_at), zone);
  const isOnAnotherDay = effective_at !== null && recordedDay !== null && effective_at !== recordedDay;
  return (
    <li>
      <details class="entry" open={isNamed} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <bdi class="what">{summary}</bdi>
          <span class="small quiet nowrap">
            {recorded_at !== null && !isOnAnotherDay ? (
              <time dateTime={recorded_at}>{formatMinute(recorded_at, zone)}</time>
            ) : (
              formatDayOfYear(effective_at)
            )}
          </span>
          <span class="more small quiet">
            {isOnAnotherDay && <>{texts.recordedOn(formatDayOfYear(recordedDay))} · </>}
            {typeof data?.['reason'] === 'string' && (
              <>
                <bdi class="reason">{data['reason']}</bdi> ·{' '}
              </>
            )}
            {actor !== null && <Actor actor={actor} />}
          </span>
        </summary>
        {isOpen && <EntryBody entry={entry} zone={zone} detail={detail} />}
      </details>
    </li>
  );
}

function EntryBody({ entry, zone, detail }: Omit<EntryProps, 'isNamed'>) {
  const { type, recorded_at, command, changes, data, request_id } = entry;
  return (
    <div class="body">
      <p>
        {texts.recorded} <Instant at={recorded_at} zone={zone} /> · {labelOf(type)}
        {command === null ? '' : ` · ${command}`}
        {request_id === null ? '' : ` · ${texts.request} ${request_id}`}
      </p>
      <Changes changes={changes} />
      {detail?.(entry)}
      <details>
        <summary>{texts.data}</summary>
        <Json value={data} />
      </details>
      {recorded_at !== null && (
        <button type="button" onClick={() => replaceQuery({ known_at: recorded_at })}>
          {texts.showAsKnownThen}
        </button>
      )}
    </div>
  );
}

/** The timelines of a claim repeat its history. */
const REPEATED = /^\/(claim_status_timeline|timeline_utc)(\/|$)/;

/** Lists members with their values before and after. It omits members that the first event leaves empty. */
function Changes({ changes }: Pick<HistoryEntry, 'changes'>) {
  const listed = changes.filter(
    ({ path, before, after }) => !REPEATED.test(path) && (before !== undefined || !isEmpty(after)),
  );
  if (listed.length === 0) return null;
  // The first event sets everything, which the fields of the page show.
  const isFirst = listed.every(({ before }) => before === undefined);
  return (
    <details open={!isFirst}>
      <summary>{isFirst ? texts.firstValues : texts.changes}</summary>
      <table>
        <tbody>
          {listed.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">{labelOf(nameOf(path))}</th>
              <td>
                {before !== undefined && (
                  <>
                    <span class="was">
                      <ChangedValue value={before} />
                    </span>{' '}
                    →{' '}
                  </>
                )}
                <span class={isFirst ? '' : 'changed'}>
                  <ChangedValue value={after} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const LONG = 300;

/** Opens a long value, such as a whole term, on request. */
function ChangedValue({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || JSON.stringify(value).length < LONG) return <Json value={value} />;
  return (
    <details>
      <summary>{texts.show}</summary>
      <Json value={value} />
    </details>
  );
}

/** Returns the words of a JSON Pointer (RFC 6901). Items of lists are counted from 1. */
function nameOf(path: string): string {
  const names = path.slice(1).split('/').map(memberLabel);
  return names.join(' ').replaceAll('~1', '/').replaceAll('~0', '~');
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function Actor({ actor: { role, label } }: { readonly actor: NonNullable<HistoryEntry['actor']> }) {
  if (label === null) return <>{texts.roles[role]}</>;
  return (
    <>
      <bdi>{label}</bdi> ({texts.roles[role]})
    </>
  );
}

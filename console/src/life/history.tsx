import { useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { HistoryEntry } from '../../../clients/typescript/src/index.ts';
import { day, dayNumber, dayOf, instant, utc, words } from '../format.ts';
import { useShortcut } from '../parts/shortcuts.tsx';
import { Json } from '../parts/values.tsx';
import { replaceQuery } from '../route.ts';
import { texts } from '../texts.ts';

export type EntryDetail = (entry: HistoryEntry) => ComponentChildren;

const LONG_GAP_DAYS = 30;

interface HistoryProps {
  readonly entries: readonly HistoryEntry[];
  readonly zone: string;
  readonly detail: EntryDetail | undefined;
}

/** A history, newest first. "o" opens and closes all entries. */
export function History({ entries, zone, detail }: HistoryProps) {
  const [kind, setKind] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const kinds = [...new Set(entries.map(({ type }) => nameOf(type)))].toSorted();
  const shown = entries.filter(({ type }) => kind === '' || nameOf(type) === kind).toReversed();
  const toggleAll = (): void => {
    const all = [...(list.current?.querySelectorAll<HTMLDetailsElement>('details.entry') ?? [])];
    const opens = all.some(({ open }) => !open);
    for (const one of all) one.open = opens;
  };
  useShortcut('o', toggleAll);
  if (entries.length === 0) return <p class="quiet">{texts.noHistory}</p>;
  return (
    <>
      <div class="row">
        <label>
          {texts.kindOfEntry}{' '}
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
            <option value="">{texts.allKinds(entries.length)}</option>
            {kinds.map((name) => (
              <option key={name} value={name}>
                {spaced(name)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={toggleAll}>
          {texts.openAll} <kbd>o</kbd>
        </button>
      </div>
      <ol class="history" ref={list}>
        {shown.map((entry, index) => (
          <>
            <Gap key={`gap ${entry.event_id}`} later={shown[index - 1]} earlier={entry} />
            <Entry key={entry.event_id} entry={entry} zone={zone} detail={detail} />
          </>
        ))}
      </ol>
    </>
  );
}

/** A long time in which nothing was recorded. */
function Gap({ later, earlier }: { readonly later: HistoryEntry | undefined; readonly earlier: HistoryEntry }) {
  if (typeof later?.recorded_at !== 'string' || earlier.recorded_at === null) return null;
  const days = dayNumber(later.recorded_at) - dayNumber(earlier.recorded_at);
  return days <= LONG_GAP_DAYS ? null : <li class="gap">{texts.gap(days)}</li>;
}

interface EntryProps {
  readonly entry: HistoryEntry;
  readonly zone: string;
  readonly detail: EntryDetail | undefined;
}

function Entry({ entry, zone, detail }: EntryProps) {
  const { type, recorded_at, effective_at, actor, command, summary, changes, data, request_id } = entry;
  const [isOpen, setOpen] = useState(false);
  const recordedDay = recorded_at === null ? null : dayOf(new Date(recorded_at), zone);
  const isOnAnotherDay = effective_at !== null && recordedDay !== null && effective_at !== recordedDay;
  return (
    <li class={isOnAnotherDay ? 'two-tracks' : ''}>
      <details class="entry" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="when">
            <time dateTime={effective_at ?? ''}>{day(effective_at)}</time>
            {isOnAnotherDay && <span class="recorded">{texts.recordedOn(day(recordedDay))}</span>}
          </span>
          <span class="what">
            <bdi>{summary}</bdi>
            <span class="quiet"> {actor === null ? '' : <bdi>{whoOf(actor)}</bdi>}</span>
          </span>
        </summary>
        {isOpen && (
          <div class="body">
            <p>
              {texts.recordedAt} {instant(recorded_at, zone)} <span class="quiet">({utc(recorded_at)})</span> ·{' '}
              {spaced(nameOf(type))}
              {command === null ? '' : ` · ${command}`}
              {request_id === null ? '' : ` · ${texts.request} ${request_id}`}
            </p>
            {changes.length > 0 && <Changes changes={changes} />}
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
        )}
      </details>
    </li>
  );
}

/** Members with their values before and after. What the first event of a thing leaves empty is not listed. */
function Changes({ changes }: Pick<HistoryEntry, 'changes'>) {
  const shown = changes.filter(({ before, after }) => before !== undefined || !isEmpty(after));
  return (
    <table>
      <caption>{texts.changes}</caption>
      <tbody>
        {shown.map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row">{words(path.slice(1).replaceAll('/', ' '))}</th>
            <td>
              {before !== undefined && (
                <>
                  <Json value={before} /> →{' '}
                </>
              )}
              <Json value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function whoOf({ role, label }: NonNullable<HistoryEntry['actor']>): string {
  return label === null ? texts.roles[role] : `${label} (${texts.roles[role]})`;
}

/** `PolicyPurchased.v1` is `PolicyPurchased`. */
function nameOf(type: string): string {
  return type.replace(/\.v\d+$/, '');
}

function spaced(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

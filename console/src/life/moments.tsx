import type { HistoryEntry } from '../../../clients/typescript/src/index.ts';
import { day, dayNumber, instant, isoDay, utc } from '../format.ts';
import { InstantFilter, setDay } from '../parts/filters.tsx';
import { replaceQuery, route } from '../route.ts';
import { texts } from '../texts.ts';

interface MomentsProps {
  readonly entries: readonly Pick<HistoryEntry, 'effective_at' | 'recorded_at'>[];
  readonly zone: string;
  readonly today: string;
  readonly lastDay: string | undefined;
}

/**
 * Two sliders: the day that is shown, and what was known then. Both end at "now, with all that is agreed", which is the view without
 * parameters.
 */
export function Moments({ entries, zone, today, lastDay = today }: MomentsProps) {
  const { as_of, known_at } = route.value.query;
  const days = entries.flatMap(({ effective_at }) => (effective_at === null ? [] : [effective_at])).toSorted();
  const [first = today] = days;
  const last = [today, lastDay, days.at(-1) ?? today].toSorted().at(-1) ?? today;
  const instants = [...new Set(entries.flatMap(({ recorded_at }) => recorded_at ?? []))].toSorted();
  // One step after the last day, and after the last instant, is "now".
  const dayStep = as_of === undefined ? dayNumber(last) + 1 : dayNumber(as_of);
  const exact = known_at === undefined ? instants.length : instants.findLastIndex((one) => one <= known_at);
  return (
    <div class="moments">
      <label>
        <span>
          {texts.onTheDay} <output>{as_of === undefined ? texts.nowWithAll : day(as_of)}</output>
        </span>
        <input
          type="range"
          min={dayNumber(first)}
          max={dayNumber(last) + 1}
          value={dayStep}
          aria-valuetext={as_of === undefined ? texts.nowWithAll : day(as_of)}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            replaceQuery({ as_of: valueAsNumber > dayNumber(last) ? undefined : isoDay(valueAsNumber) })
          }
        />
        <input
          type="date"
          aria-label={texts.dayToShow}
          value={as_of ?? ''}
          onChange={({ currentTarget }) => setDay('as_of', currentTarget.value)}
        />
      </label>
      <label>
        <span>
          {texts.asKnownAt}{' '}
          <output>
            {known_at === undefined
              ? texts.nowKnown
              : zone === 'UTC'
                ? utc(known_at)
                : `${instant(known_at, zone)} (${utc(known_at)})`}
          </output>
        </span>
        <input
          type="range"
          min={0}
          max={instants.length}
          value={Math.max(0, exact)}
          aria-valuetext={known_at === undefined ? texts.nowKnown : instant(known_at, zone)}
          onInput={({ currentTarget: { valueAsNumber } }) => replaceQuery({ known_at: instants[valueAsNumber] })}
        />
      </label>
      <InstantFilter label={texts.orAtInstant} name="known_at" value={known_at} />
      <button
        type="button"
        disabled={as_of === undefined && known_at === undefined}
        onClick={() => replaceQuery({ as_of: undefined, known_at: undefined })}
      >
        {texts.backToNow}
      </button>
    </div>
  );
}

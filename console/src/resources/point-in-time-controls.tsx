import { useId } from 'preact/hooks';
import type { HistoryEntry } from '../../../clients/typescript/src/index.ts';
import { DateFilter, InstantFilter } from '../components/filters.tsx';
import { Icon } from '../components/icon.tsx';
import { dayNumber, formatDay, formatInstantWithUtc, isoDay, lastDay } from '../format.ts';
import { replaceQuery, route } from '../route.ts';
import { texts } from '../texts.ts';
import { dayOfView } from './point-in-time.ts';

interface PointInTimeControlsProps {
  readonly entries: readonly Pick<HistoryEntry, 'effective_at' | 'recorded_at'>[];
  readonly zone: string;
  readonly today: string;
  readonly lastAgreedDay: string | undefined;
}

/**
 * Both clocks behind one chip: the day of the view, and the instant at which it was known, each as a slider. The last
 * step of both is now, the view without parameters.
 */
export function PointInTimeControls({ entries, zone, today, lastAgreedDay = today }: PointInTimeControlsProps) {
  const { as_of, known_at } = route.value.query;
  const days = entries.flatMap(({ effective_at }) => effective_at ?? []).toSorted();
  const [first = today] = days;
  const last = lastDay([today, lastAgreedDay, ...days]) ?? today;
  const instants = [...new Set(entries.flatMap(({ recorded_at }) => recorded_at ?? []))].toSorted();
  const isNow = as_of === undefined && known_at === undefined;
  const now = dayNumber(last) + 1;
  const instantStep = known_at === undefined ? instants.length : instants.findLastIndex((one) => one <= known_at);
  return (
    <details class="clocks push">
      <summary class={isNow ? 'chip' : 'chip on'}>
        <Icon name="clock" />
        {texts.bothClocks(
          isNow ? undefined : formatDay(dayOfView({ as_of, known_at }, zone)),
          known_at && formatInstantWithUtc(known_at, zone),
        )}
      </summary>
      <div class="stack">
        <div>
          <Slider
            label={texts.onTheDay}
            text={isNow ? texts.today : formatDay(dayOfView({ as_of, known_at }, zone))}
            min={dayNumber(first)}
            max={now}
            value={as_of === undefined ? now : dayNumber(as_of)}
            onStep={(step) => replaceQuery({ as_of: step === now ? undefined : isoDay(step) })}
          />
          <DateFilter label={texts.orOnDay} name="as_of" value={as_of ?? ''} />
        </div>
        <div>
          <Slider
            label={texts.asKnownAt}
            text={known_at === undefined ? texts.now : formatInstantWithUtc(known_at, zone)}
            min={0}
            max={instants.length}
            value={Math.max(0, instantStep)}
            onStep={(step) => replaceQuery({ known_at: instants[step] })}
          />
          <InstantFilter label={texts.orAtInstant} name="known_at" value={known_at} />
        </div>
        <button type="button" disabled={isNow} onClick={() => replaceQuery({ as_of: undefined, known_at: undefined })}>
          {texts.backToNow}
        </button>
        <p class="quiet small">{texts.zone(zone)}</p>
      </div>
    </details>
  );
}

interface SliderProps {
  readonly label: string;
  /** What the slider stands at. */
  readonly text: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly onStep: (step: number) => void;
}

function Slider({ label, text, min, max, value, onStep }: SliderProps) {
  const id = useId();
  return (
    <>
      <div>
        <label for={id}>{label}</label> <output for={id}>{text}</output>
      </div>
      <input
        id={id}
        type="range"
        {...{ min, max, value }}
        aria-valuetext={text}
        onInput={({ currentTarget }) => onStep(currentTarget.valueAsNumber)}
      />
    </>
  );
}

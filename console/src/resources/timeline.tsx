import type { Term } from '../../../clients/typescript/src/index.ts';
import { dayNumber, formatDay, formatMoney } from '../format.ts';
import { texts } from '../texts.ts';

interface TimelineProps {
  readonly terms: readonly Term[];
  /** Last day of cover, where the policy has ended. */
  readonly end: string | null;
  readonly claims: readonly { readonly claim_id: string; readonly claim_date: string }[];
  /** The day of the view. */
  readonly day: string;
  /** Whether that is today, as known now. */
  readonly isToday: boolean;
}

/** A label needs this share of the width, on a phone too. */
const LABEL_SHARE = 24;
const [TERM_Y, TERM_HEIGHT] = [22, 24];

const CLASSES = {
  past: 'past',
  in_force: 'current',
  upcoming: 'agreed',
  withdrawn: 'void',
  cancelled: 'void',
} as const;

/** The terms as a strip, with the day of the view, changes, claims and the end on it. */
export function Timeline({ terms, end, claims, day, isToday }: TimelineProps) {
  const days = terms.flatMap(({ from, through }) => [dayNumber(from), dayNumber(through) + 1]);
  if (days.length === 0) return null;
  const [first, last] = [Math.min(...days), Math.max(...days)];
  // A claim may be filed after the last term.
  const x = (iso: string, after = 0): number =>
    (Math.max(0, Math.min(dayNumber(iso) + after, last) - first) / (last - first)) * 100;
  const chosen = dayNumber(day) >= first && dayNumber(day) <= last ? x(day) : undefined;
  return (
    <svg class="bars strip" role="img" aria-label={describe(terms, end)}>
      {terms.map(({ term_id, from, through, state, periods }) => (
        <g key={term_id}>
          <rect
            class={CLASSES[state]}
            x={percent(x(from))}
            y={TERM_Y}
            width={percent(Math.max(0.4, x(through, 1) - x(from) - 0.3))}
            height={TERM_HEIGHT}
          >
            <title>{`${formatDay(from)} – ${formatDay(through)}: ${texts.states[state]}`}</title>
          </rect>
          {periods.slice(1).map((period) => (
            <Mark key={period.from} name="change" at={x(period.from)} title={texts.changedOn(formatDay(period.from))} />
          ))}
        </g>
      ))}
      {claims.map(({ claim_id, claim_date }) => (
        <circle key={claim_id} class="claim" cx={percent(x(claim_date))} cy={TERM_Y + TERM_HEIGHT / 2} r="5">
          <title>{texts.claimOn(formatDay(claim_date))}</title>
        </circle>
      ))}
      {end !== null && <Mark name="end" at={x(end, 1)} title={texts.endsOn(formatDay(end))} />}
      {chosen !== undefined && (
        <>
          <Mark name={isToday ? 'today' : 'chosen'} at={chosen} title={formatDay(day)} />
          <text class="strong" x={percent(chosen)} y="12" text-anchor={anchorOf(chosen)}>
            {isToday ? texts.todayMark : formatDay(day)}
          </text>
        </>
      )}
      {labelled(terms, x).map(({ term_id, from, premium }) => (
        <g key={term_id}>
          <text x={percent(x(from))} y={TERM_Y + TERM_HEIGHT + 18}>
            {formatDay(from)}
          </text>
          <text class="strong" x={percent(x(from))} y={TERM_Y + TERM_HEIGHT + 34}>
            {formatMoney(premium)}
          </text>
        </g>
      ))}
    </svg>
  );
}

interface MarkProps {
  readonly name: string;
  readonly at: number;
  readonly title: string;
}

function Mark({ name, at, title }: MarkProps) {
  return (
    <line class={name} x1={percent(at)} x2={percent(at)} y1={TERM_Y - 6} y2={TERM_Y + TERM_HEIGHT + 6}>
      <title>{title}</title>
    </line>
  );
}

/** Returns the terms whose labels have room beside each other, the first of all. */
function labelled(terms: readonly Term[], x: (iso: string) => number): readonly Term[] {
  let free = 0;
  return terms.filter(({ from, state }) => {
    const at = x(from);
    if (at < free || at > 100 - LABEL_SHARE / 2 || state === 'withdrawn') return false;
    free = at + LABEL_SHARE;
    return true;
  });
}

function anchorOf(at: number): 'start' | 'middle' | 'end' {
  if (at < LABEL_SHARE / 2) return 'start';
  return at > 100 - LABEL_SHARE / 2 ? 'end' : 'middle';
}

function percent(share: number): string {
  return `${share.toFixed(2)}%`;
}

function describe(terms: readonly Term[], end: string | null): string {
  const spans = terms.map(
    ({ from, through, state }) => `${formatDay(from)} – ${formatDay(through)} (${texts.states[state]})`,
  );
  return `${texts.terms}: ${spans.join(', ')}${end === null ? '' : `; ${texts.endsOn(formatDay(end))}`}`;
}

import type { Term } from '../../../clients/typescript/src/index.ts';
import { dayNumber, formatDay, lastDay } from '../format.ts';
import { texts } from '../texts.ts';

interface TimelineProps {
  readonly terms: readonly Term[];
  /** Last day of cover, where the policy has ended. */
  readonly end: string | null;
  readonly claims: readonly { readonly claim_id: string; readonly claim_date: string }[];
  /** The chosen day. */
  readonly day: string | undefined;
}

const WIDTH = 1_000;
const [TERM_Y, TERM_HEIGHT, AXIS_Y, HEIGHT] = [22, 26, 62, 84];

/** Terms and their periods on one axis of days, with changes, claims and the end. */
export function Timeline({ terms, end, claims, day: chosen }: TimelineProps) {
  const days = terms.flatMap(({ from, through }) => [dayNumber(from), dayNumber(through) + 1]);
  if (days.length === 0) return null;
  const [first, last] = [Math.min(...days), Math.max(...days)];
  // A claim may be filed after the last term.
  const x = (iso: string, after = 0): number =>
    ((Math.min(dayNumber(iso) + after, last) - first) / (last - first)) * WIDTH;
  return (
    <>
      <svg class="timeline" viewBox={`-10 0 ${WIDTH + 20} ${HEIGHT}`} role="img" aria-label={describe(terms, end)}>
        {terms.map(({ term_id, from, through, state, periods }) => (
          <g key={term_id} class={`state-${state}`}>
            <rect x={x(from)} y={TERM_Y} width={Math.max(2, x(through, 1) - x(from) - 1)} height={TERM_HEIGHT} rx="3">
              <title>{`${formatDay(from)} – ${formatDay(through)}: ${texts.states[state]}`}</title>
            </rect>
            {periods.slice(1).map((period) => (
              <line key={period.from} x1={x(period.from)} x2={x(period.from)} y1={TERM_Y} y2={TERM_Y + TERM_HEIGHT}>
                <title>{texts.changedOn(formatDay(period.from))}</title>
              </line>
            ))}
          </g>
        ))}
        {claims.map(({ claim_id, claim_date }) => (
          <circle key={claim_id} class="claim" cx={x(claim_date)} cy={TERM_Y - 8} r="5">
            <title>{texts.claimOn(formatDay(claim_date))}</title>
          </circle>
        ))}
        {end !== null && (
          <rect
            class="ended"
            x={x(end, 1)}
            y={TERM_Y - 1}
            width={Math.max(0, WIDTH - x(end, 1))}
            height={TERM_HEIGHT + 2}
          />
        )}
        {end !== null && (
          <line class="end" x1={x(end, 1)} x2={x(end, 1)} y1={TERM_Y - 12} y2={TERM_Y + TERM_HEIGHT + 8}>
            <title>{texts.endsOn(formatDay(end))}</title>
          </line>
        )}
        {chosen !== undefined && dayNumber(chosen) >= first && dayNumber(chosen) <= last && (
          <line class="chosen" x1={x(chosen)} x2={x(chosen)} y1={4} y2={AXIS_Y} />
        )}
        <text x="0" y={AXIS_Y + 14}>
          {formatDay(terms[0]?.from)}
        </text>
        <text x={WIDTH} y={AXIS_Y + 14} text-anchor="end">
          {formatDay(lastDay(terms.map(({ through }) => through)))}
        </text>
      </svg>
      <p class="quiet legend">{texts.legend}</p>
    </>
  );
}

function describe(terms: readonly Term[], end: string | null): string {
  const spans = terms.map(
    ({ from, through, state }) => `${formatDay(from)} – ${formatDay(through)} (${texts.states[state]})`,
  );
  return `${texts.terms}: ${spans.join(', ')}${end === null ? '' : `; ${texts.endsOn(formatDay(end))}`}`;
}

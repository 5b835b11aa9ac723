import { z } from 'zod';
import { type Day, day, type Instant } from '#event-sourcing/time.ts';
import { wrongField } from '#domain/refusals.ts';
import type { QueryContext } from '../query.ts';

const UTC_INSTANT = /^([1-9]\d{3}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?[Zz]$/;
const FORMAT_ERROR =
  'must be a UTC date-time with Z and at most milliseconds, such as 2026-03-10T09:30:00.000Z, in the years 1000 to 9999';

/** Returns the instant in the format in which instants compare as text; undefined when there is no such instant. */
function toInstant(text: string): Instant | undefined {
  const [, date, time, fraction = ''] = UTC_INSTANT.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const instant = `${date}T${time}.${fraction.padEnd(3, '0')}Z`;
  const milliseconds = Date.parse(instant);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === instant ? instant : undefined;
}

/**
 * What to answer of a resource: its state about a day (`as_of`), as it was known at an instant (`known_at`), or both.
 */
export interface PointInTime {
  readonly as_of?: Day | undefined;
  readonly known_at?: Instant | undefined;
}

export const pointInTimeSearch = {
  as_of: day.optional().meta({
    description:
      'Gives the resource as of this business day, which may lie in the future: from what takes effect by the day and is recorded',
    examples: ['2026-06-30'],
  }),
  known_at: z
    .string()
    .transform((text, context) => {
      const instant = toInstant(text);
      if (instant !== undefined) return instant;
      context.addIssue({ code: 'custom', message: FORMAT_ERROR });
      return z.NEVER;
    })
    .optional()
    .meta({
      description:
        'Gives the resource from what was recorded by this instant: a UTC date-time with Z, at most milliseconds. Alone, it is the resource as it was served then',
      examples: ['2026-03-10T09:30:00.000Z'],
    }),
};

/**
 * Returns the point in time that the parameters ask for; undefined when they ask for the current state.
 * @throws {Refusal} when `known_at` is later than the clock and than everything that was recorded
 * @throws {StoreUnavailable}
 */
export async function pointInTimeOf(
  { as_of, known_at }: PointInTime,
  { now, latestRecordedAt }: Pick<QueryContext, 'now' | 'latestRecordedAt'>,
): Promise<PointInTime | undefined> {
  // After the clock was set back, an instant that a response has shown is later than the clock.
  if (known_at !== undefined && known_at > now && known_at > ((await latestRecordedAt()) ?? ''))
    throw wrongField('known_at', 'must not lie in the future');
  return as_of === undefined && known_at === undefined ? undefined : { as_of, known_at };
}

/** Returns the part of a description that says what `as_of` and `known_at` give. */
export function describePointInTime(resource: string): string {
  return `Every event has a business day (\`effective_at\`) and a time of recording (\`recorded_at\`). \`as_of\` gives the ${resource} as of a business day: made by its first event and every other event whose \`effective_at\` is not after the day, in the order of the log. \`known_at\` takes only what was recorded by an instant, which is refused when it lies in the future: later than now and than everything that was recorded. Both together give what was known then about that day. The \`ETag\` is then a hash of the body, which \`If-Match\` never accepts.`;
}

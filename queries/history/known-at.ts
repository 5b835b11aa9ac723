import { z } from 'zod';
import type { Moment } from '../../src/event-sourcing/time.ts';
import { wrongField } from '../../src/domain/refusals.ts';
import type { QueryContext } from '../query.ts';

const UTC_MOMENT = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?[Zz]$/;
const FORMAT_ERROR = 'must be a UTC date-time with Z and at most milliseconds, such as 2026-03-10T09:30:00.000Z';

/** Returns the moment in the format in which moments compare as text; undefined when there is no such moment. */
function toMoment(text: string): Moment | undefined {
  const [, date, time, fraction = ''] = UTC_MOMENT.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const moment = `${date}T${time}.${fraction.padEnd(3, '0')}Z`;
  const milliseconds = Date.parse(moment);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === moment ? moment : undefined;
}

/** The query parameter of single resources that asks for a past state. */
export const knownAtSearch = {
  known_at: z
    .string()
    .transform((text, context) => {
      const moment = toMoment(text);
      if (moment !== undefined) return moment;
      context.addIssue({ code: 'custom', message: FORMAT_ERROR });
      return z.NEVER;
    })
    .optional()
    .meta({
      description: 'Gives the resource as it was served at this moment: a UTC date-time with Z, at most milliseconds',
      examples: ['2026-03-10T09:30:00.000Z'],
    }),
};

/** @throws {Refusal} `invalid_request` when the moment is in the future */
export function checkKnownAt(moment: Moment | undefined, { now }: QueryContext): void {
  if (moment !== undefined && moment > now) throw wrongField('known_at', 'must not lie in the future');
}

import type { Visibility } from '../../domain/identifiers.ts';
import type { PublicMessage } from '../../messaging/public-events.ts';
import { type Subject, SUBJECTS } from './definition.ts';

/** The topic of what happens to a subject; what is seen in both worlds is told with the live one (design, Outward). */
export function topicOf(subject: Subject, seenIn: Visibility): PublicMessage['topic'] {
  return seenIn === 'test' ? `surety.test.${subject}.v1` : `surety.${subject}.v1`;
}

/** Every topic of public events, of both worlds. */
export const PUBLIC_TOPICS: readonly string[] = [
  ...SUBJECTS.map((subject) => topicOf(subject, 'live')),
  ...SUBJECTS.map((subject) => topicOf(subject, 'test')),
];

import type { Visibility } from '../../domain/values/world.ts';
import type { PublicMessage } from '../../messaging/public-events.ts';
import { type Subject, SUBJECTS } from './definition.ts';

/** The topic of what happens to a subject; what is seen in both worlds is published with the live one (design, Outward). */
export function topicOf(subject: Subject, seenIn: Visibility): PublicMessage['topic'] {
  return seenIn === 'test' ? `surety.test.${subject}.v1` : `surety.${subject}.v1`;
}

/** Every topic of public events, of both worlds. */
export const PUBLIC_TOPICS: readonly string[] = [
  ...SUBJECTS.map((subject) => topicOf(subject, 'live')),
  ...SUBJECTS.map((subject) => topicOf(subject, 'test')),
];

/** Returns what the operator does about public topics that are missing, as one sentence. */
export function missingTopicsSentence(missing: readonly string[]): string {
  return (
    `Public events cannot be sent to ${missing.join(', ')}, because ${missing.length === 1 ? 'the topic is' : 'the topics are'} missing: ` +
    'stop the relay and run surety setup --create-topics --from start, or --from POSITION (docs/runbook.md, A public topic is missing).'
  );
}

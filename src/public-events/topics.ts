import type { Visibility } from '#domain/values/mode.ts';
import type { PublicMessage } from '#stores/messaging/messaging.ts';
import { type Subject, SUBJECTS } from './definition.ts';

/** Returns the topic of a subject. Events that are visible in live and test are published to the live topic. */
export function topicOf(subject: Subject, visibility: Visibility): PublicMessage['topic'] {
  return visibility === 'test' ? `surety.test.${subject}.v1` : `surety.${subject}.v1`;
}

export const PUBLIC_TOPICS: readonly string[] = [
  ...SUBJECTS.map((subject) => topicOf(subject, 'live')),
  ...SUBJECTS.map((subject) => topicOf(subject, 'test')),
];

export function missingTopicsSentence(missing: readonly string[]): string {
  return (
    `Public events cannot be sent to ${missing.join(', ')}, because ${missing.length === 1 ? 'the topic is' : 'the topics are'} missing: ` +
    'stop the relay and run surety setup --create-topics --from start, or --from POSITION (docs/runbook.md, A public topic is missing).'
  );
}

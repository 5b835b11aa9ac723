import { deadLettersOf, type TopicPlan } from '../messaging/topic-plan.ts';
import { MAIL_QUEUE } from './mail-jobs/mail-job-of.ts';
import { PUBLIC_TOPICS } from './public-events/topics.ts';

/** How topics are laid out; chosen once, because a key lies in another partition when there are more. */
export interface TopicLayout {
  /** Of every topic of public events and of jobs: as many consumers of a group can share it. */
  readonly partitions: number;
  readonly replication: number;
}

/** Every topic that Surety writes to or reads; whoever sets it up makes them all (design, Outward). */
export function topicPlans({ partitions, replication }: TopicLayout): readonly TopicPlan[] {
  const shared = [...PUBLIC_TOPICS, MAIL_QUEUE].map((topic) => ({ topic, partitions, replication }));
  // Dead letters are few, and listed in the order in which they died.
  return [...shared, { topic: deadLettersOf(MAIL_QUEUE), partitions: 1, replication }];
}

import type { TopicPlan } from '../messaging/topic-plan.ts';
import { MAIL_QUEUE } from './mail-jobs/mail-job-of.ts';
import { PUBLIC_TOPICS } from './public-events/topics.ts';

/** How topics are laid out; chosen once, because a key lies in another partition when there are more. */
export interface TopicLayout {
  /** Of every topic of public events and of jobs: as many consumers of a group can share it. */
  readonly partitions: number;
  readonly replication: number;
}

/** Every topic that Surety writes to or reads; setup creates them all. */
export function topicPlans({ partitions, replication }: TopicLayout): readonly TopicPlan[] {
  const layout = { partitions, replication };
  return [
    ...PUBLIC_TOPICS.map((topic) => ({ topic, ...layout })),
    // A mail whose message expired is published again: the event log knows which mails are open.
    { topic: MAIL_QUEUE, ...layout, mayExpire: true },
  ];
}

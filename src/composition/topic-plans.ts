import { MAIL_QUEUE } from '../processes/mail-jobs/mail-job-relay.ts';
import { PUBLIC_TOPICS } from '../processes/public-events/topics.ts';
import type { TopicPlan } from '../messaging/messaging.ts';

/** Layout of new topics. It is chosen once, because with more partitions a key maps to another partition. */
export interface TopicLayout {
  /** Partitions of every topic: the most consumers of a group that can share it. */
  readonly partitions: number;
  readonly replication: number;
}

/** Returns the plan of every topic that Surety writes or reads; `surety setup` creates them. */
export function topicPlans({ partitions, replication }: TopicLayout): readonly TopicPlan[] {
  const layout = { partitions, replication };
  return [
    ...PUBLIC_TOPICS.map((topic) => ({ topic, ...layout })),
    // A mail whose message expired is published again: the event log has the open mails.
    { topic: MAIL_QUEUE, ...layout, mayExpire: true },
  ];
}

/** A topic of a broker as it is to be. */
export interface TopicPlan {
  readonly topic: string;
  readonly partitions: number;
  /** On how many brokers each message lies. */
  readonly replication: number;
  /** Whether the broker may delete old messages. A new topic keeps them all the same. Default: no. */
  readonly mayExpire?: boolean;
}

/** Topics that exist, but not as they must be. The message is a sentence a topic, for the operator. */
export class TopicsUnfit extends Error {
  override readonly name = 'TopicsUnfit';
}

/** A topic of a broker as it is to be. */
export interface TopicPlan {
  readonly topic: string;
  readonly partitions: number;
  /** On how many brokers each message lies. */
  readonly replication: number;
}

/** A topic as it is. */
export interface TopicFound extends TopicPlan {
  readonly made: boolean;
}

/** `surety.jobs.mail.v1` → `surety.jobs.mail.dead.v1`: the topic of a queue's dead letters. */
export function deadLettersOf(queue: string): string {
  return queue.replace(/(\.v\d+)?$/, '.dead$1');
}

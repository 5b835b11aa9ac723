export interface TopicPlan {
  readonly topic: string;
  readonly partitions: number;
  readonly replication: number;
  /** Whether an existing topic may delete old messages. A new topic never does. Default: no. */
  readonly mayExpire?: boolean;
}

/** Existing topics differ from their plans. The message has a sentence for each difference, for the operator. */
export class TopicMismatch extends Error {
  override readonly name = 'TopicMismatch';
}

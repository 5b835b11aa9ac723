import { z } from 'zod';
import type { Records } from './records.ts';

/** Names the value in the records that tells which topics the installation has; never changed. */
export const TOPICS_MARK = 'topics-mark';

/** Topic → number of its partitions. */
export type KnownTopics = ReadonlyMap<string, number>;

const partitions = z.record(z.string(), z.int().positive());

/** The topics that were there when they were set up last; none when that was never said. */
export async function readTopics(records: Pick<Records, 'getValue'>): Promise<KnownTopics> {
  const mark = await records.getValue(TOPICS_MARK);
  if (mark === undefined) return new Map();
  try {
    return new Map(Object.entries(partitions.parse(JSON.parse(mark))));
  } catch (error) {
    throw new Error(`The named value ${TOPICS_MARK} in the records cannot be read`, { cause: error });
  }
}

/** Says which there are, whatever was said before. */
export async function keepTopics(records: Pick<Records, 'setValue'>, topics: KnownTopics): Promise<void> {
  await records.setValue(TOPICS_MARK, JSON.stringify(Object.fromEntries(topics)));
}

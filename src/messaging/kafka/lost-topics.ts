import type { Admin } from 'kafkajs';
import { asUnavailable, kafkaClient, type KafkaOptions, untilDisconnected } from './client.ts';

/** Of these topics those that are there, with the number of their partitions. @throws {StoreUnavailable} */
export async function partitionsOf(
  options: KafkaOptions,
  topics: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return await asAdmin(options, async (admin) => {
    const all = new Set(await admin.listTopics());
    const there = topics.filter((topic) => all.has(topic));
    if (there.length === 0) return new Map();
    const { topics: found } = await admin.fetchTopicMetadata({ topics: there });
    return new Map(found.map(({ name, partitions }) => [name, partitions.length]));
  });
}

/**
 * Forgets how far a group has read: of a topic that is made anew it would pass over what stands before. False: it has members,
 * and nothing was changed.
 * @throws {StoreUnavailable}
 */
export async function forgetGroup(options: KafkaOptions, group: string): Promise<boolean> {
  return await asAdmin(options, async (admin) => {
    try {
      await admin.deleteGroups([group]);
      return true;
    } catch (error) {
      const kinds = kindsOf(error);
      if (kinds.includes('NON_EMPTY_GROUP')) return false;
      if (kinds.length > 0 && kinds.every((kind) => kind === 'GROUP_ID_NOT_FOUND')) return true;
      throw error;
    }
  });
}

/** Why groups could not be deleted, as Kafka calls it; kafkajs tells it for each of them. */
function kindsOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const { groups = [] } = error as Error & { readonly groups?: readonly { readonly error?: { type?: string } }[] };
  return groups.flatMap(({ error: reason }) => reason?.type ?? []);
}

async function asAdmin<T>(options: KafkaOptions, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafkaClient(options).admin();
  try {
    await admin.connect();
    return await work(admin);
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    await untilDisconnected(admin.disconnect());
  }
}

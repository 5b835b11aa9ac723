import kafkajs, { type Admin } from 'kafkajs';
import { isRefusal, KNOWS_GROUPS_WITHIN_MS, knowsNoGroupsYet, repeated } from './again.ts';
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
    const forget = async (): Promise<unknown> => await admin.deleteGroups([group]);
    try {
      await repeated(forget, performance.now() + KNOWS_GROUPS_WITHIN_MS, (error) =>
        reasonsOf(error).some(knowsNoGroupsYet),
      );
      return true;
    } catch (error) {
      const reasons = reasonsOf(error);
      if (reasons.some((reason) => isRefusal(reason, ['NON_EMPTY_GROUP']))) return false;
      if (reasons.every((reason) => isRefusal(reason, ['GROUP_ID_NOT_FOUND']))) return true;
      throw error;
    }
  });
}

/** Why groups could not be deleted: kafkajs tells it for each of them, where it came as far as to ask. */
function reasonsOf(error: unknown): readonly unknown[] {
  if (!(error instanceof kafkajs.KafkaJSDeleteGroupsError)) return [error];
  return error.groups?.map((group) => group.error) ?? [error];
}

/** Does it with an administrator that is connected. @throws {StoreUnavailable} */
export async function asAdmin<T>(options: KafkaOptions, work: (admin: Admin) => Promise<T>): Promise<T> {
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

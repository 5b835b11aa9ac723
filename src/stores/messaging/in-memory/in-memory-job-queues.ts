import { EventEmitter } from 'node:events';
import type { ConsumeOptions, JobConsumer, JobQueues } from '../messaging.ts';

/** Opens job queues for a process that has all roles. An id that is already queued is not added again. */
export function openInMemoryJobQueues(): JobQueues {
  const waiting = new Map<string, Set<string>>();
  const published = new EventEmitter().setMaxListeners(0);
  const idsOf = (queue: string): Set<string> => {
    const ids = waiting.get(queue) ?? new Set();
    waiting.set(queue, ids);
    return ids;
  };

  const consume = (queue: string, { handle, concurrency }: ConsumeOptions): JobConsumer => {
    const ids = idsOf(queue);
    const stopping = new AbortController();
    const inProgress = new Set<Promise<void>>();
    const take = (): void => {
      while (!stopping.signal.aborted && inProgress.size < concurrency) {
        const [jobId] = ids;
        if (jobId === undefined) return;
        ids.delete(jobId);
        const work: Promise<void> = handle({ jobId, location: {} }, stopping.signal)
          .catch(() => undefined)
          .finally(() => {
            inProgress.delete(work);
            take();
          });
        inProgress.add(work);
      }
    };
    published.on(queue, take);
    take();
    return {
      check: () => undefined,
      stop: async () => {
        stopping.abort();
        published.off(queue, take);
        await Promise.all(inProgress);
      },
    };
  };

  return {
    publish: async (queue, jobIds) => {
      const ids = idsOf(queue);
      for (const jobId of jobIds) ids.add(jobId);
      published.emit(queue);
      await Promise.resolve();
    },
    consume,
    ping: async () => await Promise.resolve(),
    close: async () => await Promise.resolve(),
  };
}

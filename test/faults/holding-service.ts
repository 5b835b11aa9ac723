/**
 * The program with one change: a request with the id `hold.<n>.<anything>` hangs once its n-th append is durable, as if
 * the process were killed there. Prints the appends to stdout. Started by `answer-kill.test.ts`.
 */
import type { AppendResult } from '#stores/event-log/event-log.ts';
import { GroupCommit } from '#stores/event-log/sqlite/group-commit.ts';
import { main } from '../../src/main.ts';

const HELD = /^hold\.(\d+)\./;

const appended = new Map<string, number>();
const { add } = GroupCommit.prototype;

/** Writes the appends of a request one by one, as EventStoreDB does, so that the process can be killed between them. */
GroupCommit.prototype.add = function addAndHold(this: GroupCommit, request): void {
  const { requestId } = JSON.parse(request.appends[0]?.events[0]?.metadata ?? '{}') as { requestId?: string };
  if (requestId === undefined) return add.call(this, request);
  const addFrom = (index: number, results: readonly AppendResult[]): void => {
    const append = request.appends[index];
    if (append === undefined) return request.resolve(results);
    add.call(this, {
      appends: [append],
      reject: (error) => request.reject(error),
      resolve: (result) => {
        const count = (appended.get(requestId) ?? 0) + 1;
        appended.set(requestId, count);
        const isHeld = count === Number(HELD.exec(requestId)?.[1]);
        process.stdout.write(`${isHeld ? 'held' : 'appended'} ${requestId} ${count} ${append.stream}\n`);
        if (!isHeld) addFrom(index + 1, [...results, ...result]);
      },
    });
  };
  addFrom(0, []);
};

process.exitCode = await main(process.argv.slice(2));

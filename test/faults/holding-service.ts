/**
 * The program with one change: a request with the id `hold.<n>.<anything>` hangs once its n-th append is durable, as if the
 * process were killed there. Prints the appends to stdout. Started by `answer-kill.test.ts`.
 */
import { GroupCommit } from '../../src/event-store/sqlite/group-commit.ts';
import { main } from '../../src/main.ts';

const HELD = /^hold\.(\d+)\./;

const appended = new Map<string, number>();
const { add } = GroupCommit.prototype;

GroupCommit.prototype.add = function addAndHold(this: GroupCommit, request): void {
  const { requestId } = JSON.parse(request.events[0]?.metadata ?? '{}') as { requestId?: string };
  const { resolve } = request;
  add.call(this, {
    ...request,
    reject: (error) => request.reject(error),
    resolve: (result) => {
      if (requestId === undefined) return resolve(result);
      const count = (appended.get(requestId) ?? 0) + 1;
      appended.set(requestId, count);
      const isHeld = count === Number(HELD.exec(requestId)?.[1]);
      process.stdout.write(`${isHeld ? 'held' : 'appended'} ${requestId} ${count} ${request.stream}\n`);
      if (!isHeld) resolve(result);
    },
  });
};

process.exitCode = await main(process.argv.slice(2));

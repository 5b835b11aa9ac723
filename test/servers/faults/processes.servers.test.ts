import { expect, test } from '@jest/globals';
import { untilDespiteErrors } from '../../support/until.ts';
import { expectDoneOnce, makeDue } from '../support/due-policies.ts';
import { trapRequest } from '../support/failing.ts';
import { describeFaults } from '../support/fault-scene.ts';

describeFaults('Processes for each role while leaders are killed or frozen', (scene) => {
  test.each([
    ['projector', 'documents', /update[^]{0,9}read_model_checkpoints[^]*claims/],
    ['relay', 'messages', /(update|findAndModify)[^]{0,13}named_values[^]*public-events/],
    ['relay', 'jobs', /(update|findAndModify)[^]{0,13}named_values[^]*mail-requests/],
  ] as const)(
    'given the leading %s is killed between its %s and its checkpoint, then no process leads until another goes on from the checkpoint before',
    async (role, _what, checkpoint) => {
      const { installation, load } = scene;
      await scene.beginLoad();
      const leader = await installation.leaderOf(role);
      await trapRequest(installation.process(leader).mongodb, checkpoint, async () => {
        return `${leader} writes no checkpoint, and ${await installation.leaderOf(role)} leads`;
      });
      const since = performance.now();
      await installation.kill(leader);
      await scene.expectNoLeader(role, since);
      const next = await installation.leaderOf(role);
      expect(next).not.toBe(leader);
      await load.until(5);
    },
  );

  test('given the leading relay is frozen until another has taken over, when it wakes up, then it writes nothing more', async () => {
    const { installation, load } = scene;
    await scene.beginLoad();
    const leader = await installation.leaderOf('relay');
    const since = performance.now();
    installation.freeze(leader);
    await scene.expectNoLeader('relay', since);
    const next = await installation.leaderOf('relay');
    await load.until(5);
    installation.wake(leader);
    await load.until(5);
    await scene.untilStandby(leader, 'relay');
    expect(await installation.leaderOf('relay')).toBe(next);
  });

  test('given both projectors are frozen, then the api reports it; when the one that stood by wakes up, it leads, and the other writes nothing more', async () => {
    const { installation, load } = scene;
    await scene.beginLoad();
    const leader = await installation.leaderOf('projector');
    const other = leader === 'projector 1' ? 'projector 2' : 'projector 1';
    installation.freeze(leader);
    installation.freeze(other);
    let found: unknown;
    await untilDespiteErrors(
      async () => {
        const { checks } = await installation.readiness('api');
        found = checks;
        return checks.some(({ name, ok, reason }) => name === 'projector' && !ok && reason?.includes('behind the log'));
      },
      () => found,
    );
    expect(await scene.metric('api', 'surety_projector_lag_seconds')).toBeGreaterThan(5);
    installation.wake(other);
    expect(await installation.leaderOf('projector')).toBe(other);
    await load.until(5);
    installation.wake(leader);
    await load.until(5);
    await scene.untilStandby(leader, 'projector');
    expect(await installation.leaderOf('projector')).toBe(other);
  });

  test('given policies fall due while schedulers are killed, and frozen in the middle of a renewal, then each is renewed once', async () => {
    const { installation } = scene;
    const first = await installation.leaderOf('scheduler');
    const second = first === 'scheduler 1' ? 'scheduler 2' : 'scheduler 1';
    const { eventStore: proxy } = installation.process(second);
    const since = performance.now();
    await installation.kill(first);
    await scene.expectNoLeader('scheduler', since);
    // The trap is set before anything is due: the scheduler that stood by may lead before all of it is written.
    const renewal = trapRequest(proxy, /PolicyRenewed/, () => `${second} renews nothing`);
    const [due] = await Promise.all([makeDue(installation, 24), renewal]);
    installation.freeze(second);
    await installation.run(first, 'scheduler');
    await expectDoneOnce(installation, due);
    expect(await installation.leaderOf('scheduler')).toBe(first);
    installation.wake(second);
    // What it had sent arrives now, long after everything was done.
    proxy.release();
    await scene.untilStandby(second, 'scheduler');
    await expectDoneOnce(installation, due);
  });

  test('in the end each mail was sent once, except those with an unknown outcome', async () => {
    await scene.expectMailsSentOnce();
  });
});

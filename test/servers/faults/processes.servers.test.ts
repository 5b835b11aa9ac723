import { expect, test } from '@jest/globals';
import { waitUntilIgnoringErrors } from '../../support/wait-until.ts';
import { expectProcessedOnce, createDuePolicies } from '../support/due-policies.ts';
import { waitForHeldRequest } from '../support/faults.ts';
import { describeFaults } from '../support/fault-harness.ts';

const PAIRS = ['projector', 'relay', 'scheduler', 'mailer'] as const;

describeFaults('Processes for each role while leaders are killed or frozen', PAIRS, (harness) => {
  test.each([
    ['projector', 'documents', /update[^]{0,9}read_models[^]*latestRecordedAt/],
    ['relay', 'messages', /(update|findAndModify)[^]{0,13}named_values[^]*public-events/],
    ['relay', 'jobs', /(update|findAndModify)[^]{0,13}named_values[^]*mail-requests/],
  ] as const)(
    'when the leading %s is killed between its %s and its checkpoint, another process continues from the previous checkpoint',
    async (role, _what, checkpoint) => {
      const { installation, load } = harness;
      await harness.startLoad();
      const leader = await installation.waitForLeader(role);
      await waitForHeldRequest(installation.process(leader).mongodb, checkpoint, async () => {
        return `${leader} does not write a checkpoint, and ${await installation.waitForLeader(role)} leads`;
      });
      const since = performance.now();
      await installation.kill(leader);
      await harness.expectNoLeader(role, since);
      const next = await installation.waitForLeader(role);
      expect(next).not.toBe(leader);
      await load.waitForClaims(5);
    },
  );

  test('a relay that was frozen until another took over stands by after it wakes up', async () => {
    const { installation, load } = harness;
    await harness.startLoad();
    const leader = await installation.waitForLeader('relay');
    const since = performance.now();
    installation.freeze(leader);
    await harness.expectNoLeader('relay', since);
    const next = await installation.waitForLeader('relay');
    await load.waitForClaims(5);
    installation.wake(leader);
    await load.waitForClaims(5);
    await harness.waitForStandby(leader, 'relay');
    expect(await installation.waitForLeader('relay')).toBe(next);
  });

  test('when both projectors are frozen, the api reports the lag; the standby leads after it wakes up and the former leader writes nothing more', async () => {
    const { installation, load } = harness;
    await harness.startLoad();
    const leader = await installation.waitForLeader('projector');
    const other = leader === 'projector 1' ? 'projector 2' : 'projector 1';
    installation.freeze(leader);
    installation.freeze(other);
    let found: unknown;
    await waitUntilIgnoringErrors(
      async () => {
        const { checks } = await installation.readiness('api');
        found = checks;
        return checks.some(({ name, ok, reason }) => name === 'projector' && !ok && reason?.includes('behind the log'));
      },
      () => found,
    );
    expect(await harness.metric('api', 'surety_projector_lag_seconds')).toBeGreaterThan(5);
    installation.wake(other);
    expect(await installation.waitForLeader('projector')).toBe(other);
    await load.waitForClaims(5);
    installation.wake(leader);
    await load.waitForClaims(5);
    await harness.waitForStandby(leader, 'projector');
    expect(await installation.waitForLeader('projector')).toBe(other);
  });

  test('renews each policy once while schedulers are killed, or frozen in the middle of a renewal', async () => {
    const { installation } = harness;
    const first = await installation.waitForLeader('scheduler');
    const second = first === 'scheduler 1' ? 'scheduler 2' : 'scheduler 1';
    const { eventStore: proxy } = installation.process(second);
    const since = performance.now();
    await installation.kill(first);
    await harness.expectNoLeader('scheduler', since);
    // Hold the request before policies are due: the standby may lead before all of them are written.
    const renewal = waitForHeldRequest(proxy, /PolicyRenewed/, () => `${second} does not renew a policy`);
    const [due] = await Promise.all([createDuePolicies(installation, 24), renewal]);
    installation.freeze(second);
    await installation.run(first, 'scheduler');
    await expectProcessedOnce(installation, due);
    expect(await installation.waitForLeader('scheduler')).toBe(first);
    installation.wake(second);
    // The held request arrives now, long after all renewals.
    proxy.release();
    await harness.waitForStandby(second, 'scheduler');
    await expectProcessedOnce(installation, due);
  });

  test('every mail was sent once, except those with an unknown outcome', async () => {
    await harness.expectMailsSentOnce();
  });
});

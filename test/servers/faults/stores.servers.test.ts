import { expect, test } from '@jest/globals';
import { CUT, UNREACHABLE } from '../support/faults.ts';
import { describeFaults } from '../support/fault-harness.ts';
import { testServerFaults } from './server-faults.ts';

const PAIRS = ['projector', 'relay', 'scheduler'] as const;

describeFaults('Processes for each role while the event log or MongoDB fails', PAIRS, (harness) => {
  testServerFaults(harness, 'the event log', 'eventStore');

  test('while no process reaches the event log, every process reports so, and nothing is lost or duplicated', async () => {
    await harness.failUnderLoad(UNREACHABLE, 'eventStore');
  });

  testServerFaults(harness, 'MongoDB', 'mongodb');

  test('counts stalls and recovers when single connections close in the middle of responses again and again', async () => {
    const { installation, load } = harness;
    const servers = ['eventStore', 'mongodb', 'kafka'] as const;
    await harness.startLoad();
    const before = await harness.sum('surety_stalls_total');
    try {
      for (let round = 0; round < 12; round += 1) {
        for (const process of installation.processes.values())
          for (const server of servers) process[server].cutResponses(2);
        await load.waitForClaims(3);
      }
    } finally {
      for (const server of servers) await CUT.end(installation, server);
    }
    expect(await harness.sum('surety_stalls_total')).toBeGreaterThan(before);
  });

  test('every mail was sent once, except those with an unknown outcome', async () => {
    await harness.expectMailsSentOnce();
  });
});

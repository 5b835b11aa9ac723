import { expect, test } from '@jest/globals';
import { CUT, UNREACHABLE } from '../support/failing.ts';
import { describeFaults } from '../support/fault-scene.ts';
import { testServerFaults } from './server-faults.ts';

describeFaults('Processes for each role while the event log or MongoDB fails', (scene) => {
  testServerFaults(scene, 'the event log', 'eventStore');

  test('given no process reaches the event log, then every process reports it while it lasts, and nothing is lost or done twice', async () => {
    await scene.failUnderLoad(UNREACHABLE, 'eventStore');
  });

  testServerFaults(scene, 'MongoDB', 'mongodb');

  test('given single connections are cut in the middle of answers again and again, then it is counted, and the processes recover by themselves', async () => {
    const { installation, load } = scene;
    const servers = ['eventStore', 'mongodb', 'kafka'] as const;
    await scene.beginLoad();
    const before = await scene.sum('surety_stalls_total');
    try {
      for (let round = 0; round < 12; round += 1) {
        for (const process of installation.processes.values())
          for (const server of servers) process[server].cutAnswers(2);
        await load.until(3);
      }
    } finally {
      for (const server of servers) await CUT.end(installation, server);
    }
    expect(await scene.sum('surety_stalls_total')).toBeGreaterThan(before);
  });

  test('in the end each mail was sent once, except those with an unknown outcome', async () => {
    await scene.expectMailsSentOnce();
  });
});

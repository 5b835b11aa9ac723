import { expect, test } from '@jest/globals';
import { CUT, type Fault, FROZEN, late, STOPPED } from '../support/failing.ts';
import type { FaultScene } from '../support/fault-scene.ts';
import type { ServerName } from '../support/installation.ts';

const FAULTS: readonly (readonly [what: string, Fault, milliseconds: number])[] = [
  ['is killed for 10 s', STOPPED, 10_000],
  ['is restarted', STOPPED, 0],
  ['is frozen', FROZEN, 0],
  ['answers after 5 s', late(5_000), 0],
  ['is cut off in the middle of every answer', CUT, 0],
];

/**
 * Declares a test for each way in which a server fails.
 * @param counter metric and labels of what processes count while the server does not answer for 10 s
 */
export function testServerFaults(
  scene: FaultScene,
  title: string,
  server: ServerName,
  counter: readonly [metric: string, labels?: string] = ['surety_stalls_total'],
): void {
  test.each(FAULTS)(
    `given ${title} %s, then every process that needs it reports it while it lasts, and nothing is lost or done twice`,
    async (_what, fault, milliseconds) => {
      const before = await scene.sum(...counter);
      await scene.failUnderLoad(fault, server, { milliseconds });
      if (milliseconds > 0) expect(await scene.sum(...counter)).toBeGreaterThan(before);
    },
  );

  test(`given every answer of ${title} comes half a second late, then every process that needs it reports that it is slow, and nothing is lost or done twice`, async () => {
    const seconds = async (): Promise<number> => await scene.sum('surety_http_request_duration_seconds_sum');
    const before = await seconds();
    await scene.failUnderLoad(late(500), server, { reported: 'slow' });
    if (server === 'eventStore') expect(await seconds()).toBeGreaterThan(before + 3);
  });
}

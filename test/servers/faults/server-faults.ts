import { expect, test } from '@jest/globals';
import { CUT, type Fault, FROZEN, delayed, STOPPED } from '../support/faults.ts';
import type { FaultHarness } from '../support/fault-harness.ts';
import type { ServerName } from '../support/installation.ts';

const FAULTS: readonly (readonly [what: string, Fault, milliseconds: number])[] = [
  ['is killed for 10 s', STOPPED, 10_000],
  ['is frozen', FROZEN, 0],
  ['responds after 5 s', delayed(5_000), 0],
  ['is disconnected in the middle of every response', CUT, 0],
];

/**
 * Declares a test for each fault of a server.
 * @param counter metric and labels that increase while the server does not respond for 10 s
 */
export function testServerFaults(
  harness: FaultHarness,
  title: string,
  server: ServerName,
  counter: readonly [metric: string, labels?: string] = ['surety_stalls_total'],
): void {
  test.each(FAULTS)(
    `while ${title} %s, every process that needs it reports so, and nothing is lost or duplicated`,
    async (_what, fault, milliseconds) => {
      const before = await harness.sum(...counter);
      await harness.failUnderLoad(fault, server, { milliseconds });
      if (milliseconds > 0) expect(await harness.sum(...counter)).toBeGreaterThan(before);
    },
  );

  test(`while every response of ${title} is delayed by half a second, every process that needs it reports it as slow, and nothing is lost or duplicated`, async () => {
    const seconds = async (): Promise<number> => await harness.sum('surety_http_request_duration_seconds_sum');
    const before = await seconds();
    await harness.failUnderLoad(delayed(500), server, { reported: 'slow' });
    if (server === 'eventStore') expect(await seconds()).toBeGreaterThan(before + 3);
  });
}

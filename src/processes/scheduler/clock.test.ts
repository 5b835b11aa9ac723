import { beforeEach, describe, expect, test } from '@jest/globals';
import { CommandHarness } from '#test/support/command-harness.ts';
import { customerRegistered } from '#test/support/sample-events.ts';
import { acceptClock, checkClock, newestRecordedAt, SCHEDULER_CLOCK } from './clock.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = '2026-03-01T10:00:00.000Z';

let harness: CommandHarness;
let newest: string | undefined;
beforeEach(() => {
  harness = new CommandHarness();
  newest = undefined;
});

const after = (milliseconds: number): string => new Date(Date.parse(START) + milliseconds).toISOString();

/** Checks the clock when it shows START and so much more. */
async function check(milliseconds: number): Promise<string | undefined> {
  harness.now = after(milliseconds);
  return (await checkClock(harness.ports, newest)).disagreement;
}

async function accept(milliseconds: number): Promise<void> {
  harness.now = after(milliseconds);
  await acceptClock(harness.ports);
}

const saved = async (): Promise<unknown> => JSON.parse((await harness.records.getValue(SCHEDULER_CLOCK)) ?? 'null');

describe('The clock of the scheduler', () => {
  test.each([
    ['the same', 0],
    ['5 minutes earlier', -5 * MINUTE],
    ['31 days later', 31 * DAY],
  ])('agrees with the last run when it is %s, and is saved', async (_how, difference) => {
    await check(0);
    expect(await check(difference)).toBeUndefined();
    expect(await saved()).toEqual({ time: after(difference) });
  });

  test.each([
    ['more than 5 minutes earlier', -5 * MINUTE - 1],
    ['more than 31 days later', 31 * DAY + 1],
    ['years later', 3_650 * DAY],
  ])('disagrees when it is %s, run after run, until it is right again', async (how, difference) => {
    await check(0);
    for (const _run of [1, 2]) {
      const disagreement = await check(difference);
      expect(disagreement).toContain(how === 'years later' ? 'more than 31 days later' : how);
      expect(disagreement).toContain(`${START}, the last known time`);
      expect(disagreement).toContain('surety serve --accept-clock');
    }
    expect(await saved()).toEqual({ time: START });
    expect(await check(MINUTE)).toBeUndefined();
  });

  test('is compared with the newest event when no run was saved: a log of the previous version', async () => {
    await harness.given('customer-1', customerRegistered(1), customerRegistered(2));
    newest = await newestRecordedAt(harness.eventStore);
    expect(await check(40 * DAY)).toContain(`${START}, the last known time`);
    // What this process records by its clock is newer at the next start.
    newest = after(40 * DAY);
    expect(await check(40 * DAY)).toContain(`${START}, the last known time`);
    expect(await check(30 * DAY)).toBeUndefined();
    expect(await check(60 * DAY)).toBeUndefined();
  });

  test('is compared with nothing in a new folder', async () => {
    expect(await newestRecordedAt(harness.eventStore)).toBeUndefined();
    expect(await check(3_650 * DAY)).toBeUndefined();
    expect(await saved()).toEqual({ time: after(3_650 * DAY) });
  });

  test('is accepted once: a later jump disagrees again', async () => {
    await check(0);
    await accept(40 * DAY);
    expect(await check(40 * DAY + MINUTE)).toBeUndefined();
    expect(await check(80 * DAY)).toContain('more than 31 days later');
    expect(await check(40 * DAY - 10 * MINUTE)).toContain('more than 5 minutes earlier');
  });

  test('is not saved over the time that another process has saved meanwhile', async () => {
    await check(0);
    const getRevised = harness.records.getRevised.bind(harness.records);
    harness.records.getRevised = async (name) => {
      const before = await getRevised(name);
      harness.records.getRevised = getRevised;
      await harness.records.setValue(name, JSON.stringify({ time: after(40 * DAY) }));
      return before;
    };
    await expect(check(MINUTE)).rejects.toMatchObject({ name: 'TakenOver' });
    expect(await saved()).toEqual({ time: after(40 * DAY) });
  });

  test('of two processes that lead in turn may differ by minutes, not by more', async () => {
    await check(4 * MINUTE);
    expect(await check(0)).toBeUndefined();
    expect(await check(10 * MINUTE)).toBeUndefined();
    expect(await check(MINUTE)).toContain('more than 5 minutes earlier');
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import * as sample from '#test/support/sample-events.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import type { LogReport } from '#queries/verifications.ts';
import { openTemporaryEventIndex } from '#stores/event-log/sqlite/temporary-event-index.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { StoreDamaged, StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { verifyLog, type VerifyLogOptions } from './verify-log.ts';

const { appendSamples, sampleId } = sample;
const POLICY = `policy-${sampleId('policy', 1)}`;

let sound: readonly StoredEvent[];

/** Two customers, then a policy of three events. */
beforeEach(async () => {
  const store = new MemoryEventStore();
  await appendSamples(
    store,
    sample.customerRegistered(1),
    sample.customerRegistered(2),
    sample.policyImported(1, 1),
    sample.policyRenewed(1, 1, sample.term('2027-01-01', '2027-12-31')),
    sample.policyRenewed(1, 1, sample.term('2028-01-01', '2028-12-31')),
  );
  sound = await store.readAll({ after: undefined, limit: 10 });
});

/** Verifies a log of these events, with changes of what it answers. */
async function verify(
  events: readonly StoredEvent[],
  changes: Partial<VerifyLogOptions['log']> = {},
  checkFiles: VerifyLogOptions['checkFiles'] = () => [],
): Promise<LogReport> {
  const index = openTemporaryEventIndex();
  const log: VerifyLogOptions['log'] = {
    isGapless: true,
    readAll: async ({ after = 0n, limit }) => events.filter(({ position }) => position > after).slice(0, limit),
    readAt: async () => await Promise.reject(new Error('is not read')),
    lastPosition: async () => events.at(-1)?.position,
    close: async () => {},
    ...changes,
  };
  try {
    return await verifyLog({ log, index, checkFiles });
  } finally {
    index.close();
  }
}

/** The sound log with a change of the event at a position. */
const changed = (position: bigint, change: object): readonly StoredEvent[] =>
  sound.map((event) => (event.position === position ? { ...event, ...change } : event));

const without = (...positions: readonly bigint[]): readonly StoredEvent[] =>
  sound.filter(({ position }) => !positions.includes(position));

const at = (position: bigint): StoredEvent => sound[Number(position) - 1] as StoredEvent;

/** The faults as tuples. */
const faultsOf = ({ first_faults }: LogReport) =>
  first_faults.map(({ what, reason, position, event_id }) => [what, reason, position, event_id]);

describe('the verification of a log', () => {
  test('finds no fault in a sound one, or in an empty one', async () => {
    expect(await verify(sound)).toEqual({ events: 5, up_to: '5', faults: 0, first_faults: [] });
    expect(await verify([])).toEqual({ events: 0, up_to: null, faults: 0, first_faults: [] });
  });

  test('names events that the codec does not decode', async () => {
    const { type, id } = at(4n);
    const wrongData = await verify(changed(4n, { data: 'half' }));
    expect(faultsOf(wrongData)).toEqual([['unreadable', expect.stringContaining(`data of ${type}`), '4', id]]);
    expect(wrongData.first_faults[0]).toMatchObject({ event_id: id, stream: POLICY, revision: 1 });
    const altered = await verify(changed(4n, { type: 'Unknown.v1', isAltered: true }));
    expect(faultsOf(altered)).toEqual([['unreadable', 'Unknown.v1 was altered in the store', '4', id]]);
    const unknown = await verify(changed(4n, { type: 'Unknown.v1' }));
    expect(faultsOf(unknown)).toEqual([['unknown_type', 'unknown event type Unknown.v1', '4', id]]);
  });

  test('names missing positions where the store has no gaps, and missing revisions everywhere', async () => {
    expect(faultsOf(await verify(without(1n)))).toEqual([['missing', 'nothing is stored at position 1', '1', null]]);
    const log = without(3n, 4n);
    const revisions = ['missing', 'its stream lacks revisions 0 to 1', '5', at(5n).id];
    expect(faultsOf(await verify(log))).toEqual([
      ['missing', 'nothing is stored at positions 3 to 4', '3', null],
      revisions,
    ]);
    expect(faultsOf(await verify(log, { isGapless: false }))).toEqual([revisions]);
  });

  test('names an id that occurs twice, with both positions', async () => {
    expect(faultsOf(await verify(changed(5n, { id: at(2n).id })))).toEqual([
      ['repeated_id', 'its id is also that of the event at position 2', '5', at(2n).id],
    ]);
  });

  test('names events that come before their predecessor', async () => {
    const [first, second] = [at(3n), at(4n)];
    const swapped = sound.map((event) => {
      if (event === first) return { ...second, position: 3n };
      return event === second ? { ...first, position: 4n } : event;
    });
    expect(faultsOf(await verify(swapped))).toEqual([
      ['missing', 'its stream lacks revision 0', '3', second.id],
      ['misplaced', 'it comes after revision 1 at position 3', '4', first.id],
      ['missing', 'its stream lacks revision 1', '5', at(5n).id],
    ]);
    const metadata = { ...(at(4n).metadata as object), recordedAt: '2020-01-01T00:00:00.000Z' };
    const before = `before its predecessor at position 3 (${(first.metadata as { recordedAt: string }).recordedAt})`;
    expect(faultsOf(await verify(changed(4n, { metadata })))).toEqual([
      ['misplaced', `it was recorded at 2020-01-01T00:00:00.000Z, ${before}`, '4', at(4n).id],
    ]);
  });

  test('reports what the files show, and where reading ended', async () => {
    const found = await verify(sound, {}, () => ['events.db: row 5 missing from index events_by_stream']);
    expect(faultsOf(found)).toEqual([['file', 'events.db: row 5 missing from index events_by_stream', null, null]]);
    const readAll = async ({ after }: { after: bigint | undefined }) => {
      if (after === undefined) return await Promise.resolve(sound.slice(0, 3));
      throw new StoreDamaged('events.db', 'database disk image is malformed');
    };
    const cut = await verify(sound, { readAll });
    expect(faultsOf(cut)).toEqual([
      [
        'file',
        'events.db is damaged: database disk image is malformed; what follows position 3 was not read',
        null,
        null,
      ],
    ]);
    expect(cut).toMatchObject({ events: 3, up_to: '3' });
    const outage = async () => await Promise.reject(new StoreUnavailable('it is down'));
    await expect(verify(sound, { readAll: outage })).rejects.toThrow('it is down');
  });

  test('ends at events that are in no order, and where fewer are read than the log has', async () => {
    const [first, second, third] = sound;
    const unordered = [first, third, second].map((event) => event as StoredEvent);
    const readAll = async ({ after = 0n }: { after: bigint | undefined }) => (after < 3n ? unordered : []);
    expect(faultsOf(await verify(sound, { readAll })).slice(0, 3)).toEqual([
      ['missing', 'nothing is stored at position 2', '2', null],
      ['misplaced', 'it comes after position 3', '2', second?.id],
      ['misplaced', 'it comes after position 2', '1', first?.id],
    ]);
  });

  test('counts all faults and names the first 1,000 unknown types, and the first 1,000 of the other kinds', async () => {
    const [event] = sound;
    const many = Array.from({ length: 1_500 }, (_, index) => ({
      ...(event as StoredEvent),
      id: sampleId('event', index),
      stream: `customer-${index}`,
      position: BigInt(index + 1),
      data: 'half',
    }));
    const { faults, first_faults: first } = await verify(many);
    expect([faults, first.length, first.at(-1)?.position]).toEqual([1_500, 1_000, '1000']);
    // Else a log with 1,000 events of another version would look sound besides.
    const unknown = many.map((each) => (each.position === 1_500n ? each : { ...each, type: 'Unknown.v1' }));
    const { first_faults: kinds } = await verify(unknown);
    expect([kinds.length, kinds.at(-1)?.what]).toEqual([1_001, 'unreadable']);
  });
});

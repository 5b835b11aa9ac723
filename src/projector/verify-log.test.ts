import { beforeEach, describe, expect, test } from '@jest/globals';
import * as sample from '../../test/support/sample-events.ts';
import { MemoryEventStore } from '../../test/support/memory-event-store.ts';
import { openTemporaryEventIndex } from '../event-store/sqlite/temporary-event-index.ts';
import type { StoredEvent } from '../event-store/event-store.ts';
import { StoreDamaged, StoreUnavailable } from '../store-unavailable.ts';
import { type LogVerification, verifyLog, type VerifyLogOptions } from './verify-log.ts';

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

async function verify(
  events: readonly StoredEvent[],
  options: Partial<VerifyLogOptions> = {},
): Promise<LogVerification> {
  const index = openTemporaryEventIndex();
  const log: VerifyLogOptions['log'] = {
    isGapless: true,
    readAll: async ({ after = 0n, limit }) => events.filter(({ position }) => position > after).slice(0, limit),
    readAt: async () => await Promise.reject(new Error('is not read')),
    lastPosition: async () => events.at(-1)?.position,
    close: async () => {},
  };
  try {
    return await verifyLog({ log, index, checkFiles: () => [], ...options });
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
const faultsOf = ({ named }: LogVerification) =>
  named.map(({ what, reason, position, event }) => [what, reason, position, event?.id]);

describe('the verification of a log', () => {
  test('finds no fault in a sound one, or in an empty one', async () => {
    expect(await verify(sound)).toEqual({ events: 5, upTo: 5n, faults: 0, named: [] });
    expect(await verify([])).toEqual({ events: 0, upTo: undefined, faults: 0, named: [] });
  });

  test('names events that the codec does not decode', async () => {
    const { type, id } = at(4n);
    const wrongData = await verify(changed(4n, { data: 'half' }));
    expect(faultsOf(wrongData)).toEqual([['unreadable', expect.stringContaining(`data of ${type}`), 4n, id]]);
    expect(wrongData.named[0]?.event).toEqual({ id, stream: POLICY, revision: 1 });
    const altered = await verify(changed(4n, { type: 'Unknown.v1', isAltered: true }));
    expect(faultsOf(altered)).toEqual([['unreadable', 'Unknown.v1 was altered in the store', 4n, id]]);
    const unknown = await verify(changed(4n, { type: 'Unknown.v1' }));
    expect(faultsOf(unknown)).toEqual([['unknown_type', 'unknown event type Unknown.v1', 4n, id]]);
  });

  test('names missing positions where the store has no gaps, and missing revisions everywhere', async () => {
    expect(faultsOf(await verify(without(1n)))).toEqual([
      ['missing', 'nothing is stored at position 1', 1n, undefined],
    ]);
    const log = without(3n, 4n);
    const revisions = ['missing', 'its stream lacks revisions 0 to 1', 5n, at(5n).id];
    expect(faultsOf(await verify(log))).toEqual([
      ['missing', 'nothing is stored at positions 3 to 4', 3n, undefined],
      revisions,
    ]);
    const withGaps = {
      isGapless: false,
      lastPosition: async () => 5n,
      readAt: async () => undefined,
      close: async () => {},
    };
    const readAll = async ({ after = 0n }) => log.filter(({ position }) => position > after);
    expect(faultsOf(await verify([], { log: { ...withGaps, readAll } }))).toEqual([revisions]);
  });

  test('names an id that occurs twice, with both positions', async () => {
    expect(faultsOf(await verify(changed(5n, { id: at(2n).id })))).toEqual([
      ['repeated_id', 'its id is also that of the event at position 2', 5n, at(2n).id],
    ]);
  });

  test('names events that come before their predecessor', async () => {
    const [first, second] = [at(3n), at(4n)];
    const swapped = sound.map((event) => {
      if (event === first) return { ...second, position: 3n };
      return event === second ? { ...first, position: 4n } : event;
    });
    expect(faultsOf(await verify(swapped))).toEqual([
      ['missing', 'its stream lacks revision 0', 3n, second.id],
      ['misplaced', 'it comes after revision 1 at position 3', 4n, first.id],
      ['missing', 'its stream lacks revision 1', 5n, at(5n).id],
    ]);
    const metadata = { ...(at(4n).metadata as object), recordedAt: '2020-01-01T00:00:00.000Z' };
    const before = `before its predecessor at position 3 (${(first.metadata as { recordedAt: string }).recordedAt})`;
    expect(faultsOf(await verify(changed(4n, { metadata })))).toEqual([
      ['misplaced', `it was recorded at 2020-01-01T00:00:00.000Z, ${before}`, 4n, at(4n).id],
    ]);
  });

  test('reports what the files show, and where reading ended', async () => {
    const found = await verify(sound, { checkFiles: () => ['events.db: row 5 missing from index events_by_stream'] });
    expect(faultsOf(found)).toEqual([
      ['file', 'events.db: row 5 missing from index events_by_stream', undefined, undefined],
    ]);
    const broken = {
      isGapless: true,
      readAll: async ({ after }: { after: bigint | undefined }) => {
        if (after === undefined) return await Promise.resolve(sound.slice(0, 3));
        throw new StoreDamaged('events.db', 'database disk image is malformed');
      },
      lastPosition: async () => 5n,
      readAt: async () => undefined,
      close: async () => {},
    };
    const cut = await verify([], { log: broken });
    expect(faultsOf(cut)).toEqual([
      [
        'file',
        'events.db is damaged: database disk image is malformed; what follows position 3 was not read',
        undefined,
        undefined,
      ],
    ]);
    expect(cut).toMatchObject({ events: 3, upTo: 3n });
    const outage = { ...broken, readAll: async () => await Promise.reject(new StoreUnavailable('it is down')) };
    await expect(verify([], { log: outage })).rejects.toThrow('it is down');
  });

  test('ends at events that are in no order, and where fewer are read than the log has', async () => {
    const [first, second, third] = sound;
    const unordered = [first, third, second].map((event) => event as StoredEvent);
    const readAll = async ({ after = 0n }: { after: bigint | undefined }) => (after < 3n ? unordered : []);
    const log = {
      isGapless: true,
      readAll,
      lastPosition: async () => 5n,
      readAt: async () => undefined,
      close: async () => {},
    };
    expect(faultsOf(await verify([], { log })).slice(0, 3)).toEqual([
      ['missing', 'nothing is stored at position 2', 2n, undefined],
      ['misplaced', 'it comes after position 3', 2n, second?.id],
      ['misplaced', 'it comes after position 2', 1n, first?.id],
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
    const { faults, named } = await verify(many);
    expect([faults, named.length, named.at(-1)?.position]).toEqual([1_500, 1_000, 1_000n]);
    // Else a log with 1,000 events of another version would look sound besides.
    const unknown = many.map((each) => (each.position === 1_500n ? each : { ...each, type: 'Unknown.v1' }));
    const { named: kinds } = await verify(unknown);
    expect([kinds.length, kinds.at(-1)?.what]).toEqual([1_001, 'unreadable']);
  });
});

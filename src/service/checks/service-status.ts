import { eventEntries } from '#projections/event-entries/event-entries.ts';
import { recordedAtOf } from '#projections/projection.ts';
import { keyOfPosition } from '#queries/feed/feed.ts';
import { visibility } from '#domain/values/mode.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { EventStore, Position } from '#stores/event-log/event-log.ts';
import type { RoleStatus, StatusSources } from '#http/server/dependencies.ts';
import type { LeaseSettings, LedRoles } from '#processes/lease/leader-election.ts';
import { LEASE_TIMES } from '#processes/lease/leadership.ts';
import { publicEventsCheckpoint } from '#processes/relay/relay.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import type { Records } from '#stores/records/records.ts';
import { LEASES } from '../compose/process-runner.ts';
import { diskSpace } from './readiness.ts';

interface RolesOptions {
  /** Undefined on embedded stores, where this process leads every role. */
  readonly lease: Pick<LeaseSettings, 'holder' | 'leases'> | undefined;
  readonly ledRoles: LedRoles;
  readonly thisProcess: { readonly name: string; readonly startedAt: Instant };
}

/**
 * Makes a function that returns the holder of the lease of each role, also one that died until its lease has expired.
 */
export function roleReader({ lease, ledRoles, thisProcess }: RolesOptions): StatusSources['readRoles'] {
  const read = async (name: string, leaseName: string): Promise<RoleStatus> => {
    if (lease === undefined) return { name, leader: thisProcess.name, since: thisProcess.startedAt };
    const holder = await lease.leases.findHolder(leaseName, LEASE_TIMES.timeToLive);
    // A lease has the time of its last renewal: only the leader itself knows since when it leads.
    const since = holder === lease.holder ? ledRoles.get(name)?.() : undefined;
    return { name, leader: holder ?? null, since: since ?? null };
  };
  return async () => await Promise.all([...LEASES].map(async ([name, leaseName]) => await read(name, leaseName)));
}

interface RelayOptions {
  readonly records: Records;
  readonly readModels: Pick<ReadModels, 'find'>;
  readonly eventStore: Pick<EventStore, 'readAt'>;
  readonly now: () => Instant;
}

/**
 * Makes a function that returns the checkpoint of public events, and the age of the oldest public event after it.
 * Events that are not public do not count: a relay that sends nothing saves its checkpoint rarely.
 */
export function relayReader({ records, readModels, eventStore, now }: RelayOptions): StatusSources['readRelay'] {
  const checkpoint = publicEventsCheckpoint(records);
  return async () => {
    if (!(await checkpoint.isInitialised())) return undefined;
    const { position } = (await checkpoint.read()) ?? { position: 0n };
    const next = await firstPublicEvent(readModels, position);
    const event = next === undefined ? undefined : await eventStore.readAt(next);
    const waited = event === undefined ? 0 : Date.parse(now()) - Date.parse(recordedAtOf(event));
    // An event without a readable time counts as new.
    return { position, lagSeconds: Number.isNaN(waited) ? 0 : Math.max(0, waited) / 1000 };
  };
}

async function firstPublicEvent(readModels: Pick<ReadModels, 'find'>, after: Position): Promise<Position | undefined> {
  const first = await Promise.all(
    visibility.options.map(async (feed_mode) => {
      const query = { where: { feed_mode }, after: keyOfPosition(after), skipCount: true, limit: 1, offset: 0 };
      return (await readModels.find(eventEntries.name, query)).documents;
    }),
  );
  const positions = first.flat().map(({ position }) => position);
  return positions.reduce<Position | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);
}

/** Makes a function that returns the space of the disk. @param folder to which this process writes; undefined: none */
export function diskReader(folder: string | undefined): StatusSources['readDisk'] {
  return async () => (folder === undefined ? undefined : await diskSpace(folder));
}

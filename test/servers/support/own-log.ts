import type { EventStore } from '../../../src/event-store/event-store.ts';
import { openEventStoreDB } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { newPart, OwnPartOfTheLog } from '../../support/own-part-of-the-log.ts';
import { ServerProcess } from '../eventstoredb/support/server-process.ts';
import { EVENTSTORE_UNDER_TEST, NAMED_EVENTSTORE } from './named-eventstore.ts';
import { settingsFor } from './part/setting.ts';

/** Milliseconds for one call of a test that looks at the log: some read all of it at once, also on a busy machine. */
const LOOK = { timeLimit: 60_000 };

/** A log of EventStoreDB, empty at first, to which only the processes of one suite write. */
export interface OwnLog {
  /** Of the server. */
  readonly url: string;
  /** The server, where it is the suite's own, so that it may be killed. */
  readonly server: ServerProcess | undefined;
  /** What a process of Surety is told; `url`: by what address it comes to the server. */
  settings(url?: string): Readonly<Record<string, string>>;
  /** The log, for the test to look at. One at a time in a process. */
  open(): EventStore;
  /** Ends the server, where it is the suite's own. What was written to a server that was named stays there. */
  dispose(): Promise<void>;
}

/** A stand-in with its data in the folder, or a part of the log that EVENTSTORE_URL names. */
export async function ownLog(folder: string): Promise<OwnLog> {
  return NAMED_EVENTSTORE === undefined ? await standIn(folder) : await partOf(NAMED_EVENTSTORE);
}

/** A stand-in, also where EVENTSTORE_URL names a server. */
export async function standIn(folder: string): Promise<OwnLog> {
  const server = await ServerProcess.start(folder);
  return {
    url: server.url,
    server,
    settings: (url = server.url) => ({ EVENTSTORE_URL: url }),
    open: () => openEventStoreDB({ url: server.url, ...LOOK }),
    dispose: async () => await server.kill(),
  };
}

/** A log to which processes come through proxies, so that they can lose it, and whose it is. */
export const LOG_BEHIND_PROXIES =
  NAMED_EVENTSTORE === undefined || canBeProxied(NAMED_EVENTSTORE)
    ? { name: EVENTSTORE_UNDER_TEST, isShared: NAMED_EVENTSTORE !== undefined, open: ownLog }
    : {
        name: 'a stand-in for EventStoreDB, since no proxy can stand before the server that EVENTSTORE_URL names',
        isShared: false,
        open: standIn,
      };

/** Over TLS the name of the server would be another, and to the nodes of a cluster the client finds its own way. */
function canBeProxied(address: string): boolean {
  if (!/^esdb:\/\/[^,]+$/i.test(address) || !/[?&]tls=false(&|$)/i.test(address)) return false;
  return new URL(address).port !== '';
}

async function partOf(named: string): Promise<OwnLog> {
  const log = openEventStoreDB({ url: named });
  const part = await newPart(log);
  await log.close();
  return {
    url: named,
    server: undefined,
    settings: (url = named) => ({ EVENTSTORE_URL: url, ...settingsFor(part) }),
    open: () => new OwnPartOfTheLog(openEventStoreDB({ url: named, ...LOOK }), part),
    dispose: async () => {},
  };
}

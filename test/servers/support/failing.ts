import type { TcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import type { Installation, ServerName } from './installation.ts';

/** Something that may be wrong with a server, until it is mended. */
export interface Fault {
  readonly begin: (on: Installation, server: ServerName) => unknown;
  readonly end: (on: Installation, server: ServerName) => unknown;
}

/** The server is killed. */
export const STOPPED: Fault = {
  begin: async (on, server) => await on[server].kill(),
  end: async (on, server) => await on[server].start(),
};

/** Every connection is cut, and none is taken. */
export const UNREACHABLE: Fault = atProxies(
  (proxy) => proxy.close(),
  (proxy) => proxy.open(),
);

/** It takes connections and answers nothing: by SIGSTOP, where it is a process of the suite's own. */
export const FROZEN: Fault = {
  begin: async (on, server) => await stopped(on, server, true),
  end: async (on, server) => await stopped(on, server, false),
};

/** Every answer comes so many milliseconds late. */
export const late = (milliseconds: number): Fault =>
  atProxies(
    (proxy) => {
      proxy.delay = milliseconds;
    },
    (proxy) => {
      proxy.delay = 0;
    },
  );

/** Every connection is cut in the middle of its first answer. */
export const CUT: Fault = atProxies(
  (proxy) => proxy.cutAnswers(Infinity),
  (proxy) => proxy.cutAnswers(0),
);

/** No request looks like that. */
const NOTHING = /(?!)/;

/** As `TcpProxy.trap`, which is taken away again when nothing comes. @throws {Error} with what `tell` says then */
export async function trapped(way: TcpProxy, marker: RegExp, tell: () => unknown): Promise<void> {
  let isSprung = false;
  void way.trap(marker).then(() => (isSprung = true));
  try {
    await until(() => isSprung, tell);
  } catch (error) {
    void way.trap(NOTHING);
    way.release();
    throw error;
  }
}

/** The ways of all processes to a server. */
export function proxiesOf(on: Installation, server: ServerName): readonly TcpProxy[] {
  return [...on.processes.values()].map((process) => process[server]);
}

function atProxies(begin: (proxy: TcpProxy) => void, end: (proxy: TcpProxy) => void): Fault {
  return {
    begin: (on, server) => proxiesOf(on, server).forEach(begin),
    end: (on, server) => proxiesOf(on, server).forEach(end),
  };
}

async function stopped(on: Installation, server: ServerName, isStopped: boolean): Promise<void> {
  if (server === 'kafka') {
    await on.kafka.signal(isStopped ? 'SIGSTOP' : 'SIGCONT');
    return;
  }
  const process = server === 'mongodb' ? on.mongodb : server === 'eventStore' ? on.eventStore : undefined;
  for (const one of process === undefined ? proxiesOf(on, server) : [process]) {
    if (isStopped) one.freeze();
    else one.thaw();
  }
}

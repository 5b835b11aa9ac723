import type { TcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import type { Installation, ServerName } from './installation.ts';

/** A way in which a server fails, until it is repaired. */
export interface Fault {
  readonly begin: (on: Installation, server: ServerName) => unknown;
  readonly end: (on: Installation, server: ServerName) => unknown;
}

/** The server is killed. */
export const STOPPED: Fault = {
  begin: async (on, server) => await on[server].kill(),
  end: async (on, server) => await on[server].start(),
};

/** Every connection is cut, and no connection is accepted. */
export const UNREACHABLE: Fault = atProxies(
  (proxy) => proxy.close(),
  (proxy) => proxy.open(),
);

/** It accepts connections and does not answer: by SIGSTOP where the suite started it as a process. */
export const FROZEN: Fault = {
  begin: async (on, server) => await stopped(on, server, true),
  end: async (on, server) => await stopped(on, server, false),
};

/** Every answer is delayed by so many milliseconds. */
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

/** Matches no request. */
const NOTHING = /(?!)/;

/**
 * Waits until the proxy has caught a request that matches, as `TcpProxy.trap`. The trap is removed when no such request comes.
 * @throws {Error} with what `describe` returns then
 */
export async function trapRequest(proxy: TcpProxy, marker: RegExp, describe: () => unknown): Promise<void> {
  let isSprung = false;
  void proxy.trap(marker).then(() => (isSprung = true));
  try {
    await until(() => isSprung, describe);
  } catch (error) {
    void proxy.trap(NOTHING);
    proxy.release();
    throw error;
  }
}

/** The proxies between all processes and a server. */
function proxiesOf(on: Installation, server: ServerName): readonly TcpProxy[] {
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

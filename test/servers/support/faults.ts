import type { TcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Installation, ServerName } from './installation.ts';

/** A fault of a server. */
export interface Fault {
  readonly begin: (installation: Installation, server: ServerName) => unknown;
  readonly end: (installation: Installation, server: ServerName) => unknown;
}

/** The server is killed. */
export const STOPPED: Fault = {
  begin: async (installation, server) => await installation[server].kill(),
  end: async (installation, server) => await installation[server].start(),
};

/** Every connection is cut, and no connection is accepted. */
export const UNREACHABLE: Fault = atProxies(
  (proxy) => proxy.close(),
  (proxy) => proxy.open(),
);

/** The server accepts connections but does not respond; by SIGSTOP where it is a process of the suite. */
export const FROZEN: Fault = {
  begin: (installation, server) => setFrozen(installation, server, true),
  end: (installation, server) => setFrozen(installation, server, false),
};

/** Every response is delayed. */
export const delayed = (milliseconds: number): Fault =>
  atProxies(
    (proxy) => {
      proxy.delay = milliseconds;
    },
    (proxy) => {
      proxy.delay = 0;
    },
  );

/** Every connection closes in the middle of its first response. */
export const CUT: Fault = atProxies(
  (proxy) => proxy.cutResponses(Infinity),
  (proxy) => proxy.cutResponses(0),
);

/** Matches no request. */
const NO_REQUEST = /(?!)/;

/**
 * Waits until the proxy holds a matching request (`TcpProxy.holdRequest`); on timeout it stops waiting for one.
 * @throws {Error} with the result of `describe` on timeout
 */
export async function waitForHeldRequest(proxy: TcpProxy, marker: RegExp, describe: () => unknown): Promise<void> {
  let isHeld = false;
  void proxy.holdRequest(marker).then(() => (isHeld = true));
  try {
    await waitUntil(() => isHeld, describe);
  } catch (error) {
    void proxy.holdRequest(NO_REQUEST);
    proxy.release();
    throw error;
  }
}

function proxiesOf(installation: Installation, server: ServerName): readonly TcpProxy[] {
  return [...installation.processes.values()].map((process) => process[server]);
}

function atProxies(begin: (proxy: TcpProxy) => void, end: (proxy: TcpProxy) => void): Fault {
  return {
    begin: (installation, server) => proxiesOf(installation, server).forEach(begin),
    end: (installation, server) => proxiesOf(installation, server).forEach(end),
  };
}

function setFrozen(installation: Installation, server: ServerName, isFrozen: boolean): void {
  const frozen = server === 'mail' ? proxiesOf(installation, server) : [installation[server]];
  for (const one of frozen) {
    if (isFrozen) one.freeze();
    else one.thaw();
  }
}

import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort } from '#test/support/free-port.ts';
import { MonitoredProcess } from '#test/support/monitored-process.ts';
import type { EventLog } from '../event-log.ts';
import { type ClusterView, openLog, type StandIn, startNode } from '../stand-in.ts';

const forward = fileURLToPath(new URL('../forward.ts', import.meta.url));

/** Time for which gossip still names a leader that has failed, as seen on EventStoreDB 23.10. */
const ELECTION_MS = 8_000;
/** More than the backlog of a node holds. */
const CONNECTIONS_TO_FILL_BACKLOG = 128;

/**
 * How a node fails: `frozen`: its connections are accepted but not served; `gone`: no connection is accepted or
 * refused.
 */
export type NodeFailure = 'frozen' | 'gone';

interface Node {
  readonly port: number;
  readonly server: StandIn;
  readonly process: MonitoredProcess;
}

/**
 * Three nodes on one log, each behind a process that can be frozen. Another node leads some seconds after the leader
 * has failed.
 */
export class StandInCluster {
  readonly log: EventLog;
  readonly #nodes: Node[] = [];
  readonly #failed = new Set<number>();
  readonly #fillers: Socket[] = [];
  #leader = 0;
  #election: NodeJS.Timeout | undefined;

  private constructor(log: EventLog) {
    this.log = log;
  }

  static async start(folder: string): Promise<StandInCluster> {
    const cluster = new StandInCluster(await openLog(folder));
    for (let n = 0; n < 3; n += 1) await cluster.#startNode();
    cluster.#leader = cluster.#nodes[0]?.port ?? 0;
    return cluster;
  }

  /** Connection string with the addresses of all nodes. */
  get url(): string {
    return `esdb://${this.#nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false`;
  }

  /** Stops the leader without a word to its clients; 8 s later the others elect one of them. */
  failLeader(how: NodeFailure): void {
    const { port, process } = this.#node(this.#leader);
    process.freeze();
    if (how === 'gone') {
      for (let n = 0; n < CONNECTIONS_TO_FILL_BACKLOG; n += 1)
        this.#fillers.push(connect(port, '127.0.0.1').on('error', () => {}));
    }
    this.#election = setTimeout(() => {
      this.#failed.add(port);
      this.#leader = this.#nodes.find((node) => node.port !== port)?.port ?? 0;
    }, ELECTION_MS);
  }

  /** Resumes the nodes that failed; they follow the present leader. */
  recover(): void {
    for (const socket of this.#fillers.splice(0)) socket.destroy();
    for (const { process } of this.#nodes) process.thaw();
    this.#failed.clear();
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#election);
    for (const { process, server } of this.#nodes) {
      await process.kill();
      await server.stop();
    }
    for (const socket of this.#fillers) socket.destroy();
    await this.log.close();
  }

  async #startNode(): Promise<void> {
    const port = await freePort();
    const server = await startNode(this.log, 0, () => this.#view(port));
    const child = spawn(process.execPath, [forward, String(port), String(server.port)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const monitored = new MonitoredProcess(`The node at ${port}`, child);
    this.#nodes.push({ port, server, process: monitored });
    await monitored.waitForFirstLine();
  }

  #view(self: number): ClusterView {
    const members = this.#nodes.map(({ port }) => ({
      port,
      isLeader: port === this.#leader,
      isAlive: !this.#failed.has(port),
    }));
    return { members, leader: this.#leader, self };
  }

  #node(port: number): Node {
    const found = this.#nodes.find((node) => node.port === port);
    if (found === undefined) throw new Error(`no node at ${port}`);
    return found;
  }
}

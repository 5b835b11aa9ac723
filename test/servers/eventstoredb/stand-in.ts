import { createServer } from 'node:net';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';

import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { Metadata, sendUnaryData, ServerUnaryCall, ServiceError } from '@grpc/grpc-js';
import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { IServerFeaturesServer } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';

import { handleAppend } from './appending.ts';
import { EventLog } from './event-log.ts';
import { Faults, type SubscriptionEnd } from './faults.ts';
import {
  batchAppendSupport,
  clusterOf,
  type Member,
  notReady,
  readRefusal,
  serviceError,
  streamNameOf,
  subscriptionError,
} from './messages.ts';
import { handleRead } from './reading.ts';

/** A running stand-in for EventStoreDB. */
export interface StandIn {
  readonly port: number;
  /** Connection string. */
  readonly url: string;
  /** Connection string that makes the client discover the leader of the cluster, which is the stand-in alone. */
  readonly clusterUrl: string;
  readonly log: EventLog;
  readonly faults: Faults;
  /** Closes every connection; new ones are accepted. */
  cut(): void;
  /** Ends every subscription; new ones are accepted. */
  endSubscriptions(how?: SubscriptionEnd): void;
  /** Closes every connection and accepts no more. Everything acknowledged is on disk. */
  stop(): Promise<void>;
}

/** The cluster as one of its nodes reports it. */
export interface ClusterView {
  readonly members: readonly Member[];
  /** Port of the leader; another node refuses calls that require the leader. */
  readonly leader: number;
  /** Port at which clients reach this node. */
  readonly self: number;
}

/** Starts the stand-in on 127.0.0.1; port 0: any free port. */
export async function startStandIn(folder: string, port = 0): Promise<StandIn> {
  const log = await openLog(folder);
  const node = await startNode(log, port);
  const stop = async (): Promise<void> => {
    await node.stop();
    await log.close();
  };
  return { ...node, stop };
}

/** Opens the log of a server that has just been started. */
export async function openLog(folder: string): Promise<EventLog> {
  const log = await EventLog.open(folder);
  await log.writeSystemEvent('$stats-127.0.0.1:2113', '$statsCollected', { 'proc-startTime': 'now' });
  return log;
}

/** Starts a node on a log that stays open when the node stops. `view`: its cluster; default: the node alone. */
export async function startNode(log: EventLog, port: number, view?: () => ClusterView): Promise<StandIn> {
  const cluster = view ?? (() => clusterOfOne(portOf(listener)));
  /** Returns the refusal of a call that requires the leader, where this node is not the leader. */
  const notLeader = ({ metadata }: { readonly metadata: Metadata }): ServiceError | undefined => {
    const { leader, self } = cluster();
    const isRefused = leader !== self && metadata.get('requires-leader').includes('true');
    return isRefused ? readRefusal('not_leader', leader) : undefined;
  };
  const faults = new Faults();
  const sockets = new Set<Socket>();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  let subscriptions = new AbortController();

  const server = new Server({ 'grpc.max_receive_message_length': 16 * 1024 * 1024 });
  server.addService(streamsGrpc.StreamsService, {
    append: (call, reply) => {
      const refusal = notLeader(call);
      if (refusal === undefined) void handleAppend({ log, faults, cut }, call, reply);
      else reply(refusal);
    },
    read: (call) => {
      const fault = call.request.getOptions()?.hasSubscription() === true ? undefined : faults.nextRead();
      const refusal = notLeader(call) ?? (faults.notReady ? notReady() : fault && readRefusal(fault, portOf(listener)));
      const reading = refusal ? Promise.reject(refusal) : handleRead(log, faults, call, subscriptions.signal);
      reading.then(
        () => call.end(),
        (error: unknown) => call.emit('error', error),
      );
    },
    delete: (call: ServerUnaryCall<DeleteReq, DeleteResp>, reply: sendUnaryData<DeleteResp>) =>
      respond(
        reply,
        new streamsPb.DeleteResp(),
        log.delete(streamNameOf(call.request.getOptions()?.getStreamIdentifier())),
      ),
    tombstone: (call: ServerUnaryCall<TombstoneReq, TombstoneResp>, reply: sendUnaryData<TombstoneResp>) =>
      respond(
        reply,
        new streamsPb.TombstoneResp(),
        log.tombstone(streamNameOf(call.request.getOptions()?.getStreamIdentifier())),
      ),
    batchAppend: (call) => void call.emit('error', unimplemented('BatchAppend')),
  } satisfies IStreamsServer);

  const gossip = (_: unknown, reply: sendUnaryData<ClusterInfo>): void => reply(null, clusterOf(cluster().members));
  server.addService(gossipGrpc.GossipService, { read: gossip } satisfies IGossipServer);

  // As the real server, which a client without the adapter takes as a reason to call BatchAppend.
  const features = (_: unknown, reply: sendUnaryData<SupportedMethods>): void => reply(null, batchAppendSupport());
  server.addService(featuresGrpc.ServerFeaturesService, {
    getSupportedMethods: features,
  } satisfies IServerFeaturesServer);

  // gRPC clients reset a stream after each read. Node treats more than 33 resets a second as an attack and closes the
  // connection.
  Object.assign(server['commonServerOptions'], { streamResetBurst: 1_000_000_000, streamResetRate: 1_000_000_000 });
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.setNoDelay();
    injector.injectConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, '127.0.0.1', resolve);
  });
  const listeningPort = portOf(listener);

  return {
    port: listeningPort,
    url: `esdb://127.0.0.1:${listeningPort}?tls=false`,
    clusterUrl: `esdb+discover://127.0.0.1:${listeningPort}?tls=false`,
    log,
    faults,
    cut,
    endSubscriptions: (how = 'clean') => {
      subscriptions.abort(subscriptionError(how));
      subscriptions = new AbortController();
    },
    stop: async () => {
      const closed = new Promise<void>((resolve) => {
        listener.close(() => resolve());
      });
      cut();
      injector.destroy();
      server.forceShutdown();
      subscriptions.abort();
      await closed;
    },
  };
}

function clusterOfOne(port: number): ClusterView {
  return { members: [{ port, isLeader: true, isAlive: true }], leader: port, self: port };
}

function portOf(listener: NetServer): number {
  return (listener.address() as AddressInfo).port;
}

function respond<T>(reply: sendUnaryData<T>, message: T, work: Promise<void>): void {
  work.then(
    () => reply(null, message),
    (error: unknown) => reply(error as Error),
  );
}

function unimplemented(call: string): ServiceError {
  return serviceError(status.UNIMPLEMENTED, `The stand-in does not have ${call}`);
}

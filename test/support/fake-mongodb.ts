import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BSON } from 'mongodb';

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

/** Answers `ok` to every request of a MongoDB client. While `isSilent`, it emits `request` and answers nothing. */
export class FakeMongodb extends EventEmitter<{ request: [] }> {
  readonly port: number;
  isSilent = false;
  /** Name of a command → how long its reply is delayed. */
  delayMs: Readonly<Record<string, number>> = {};
  /** Returns what is added to the reply to a command; by default nothing. */
  reply: (command: BSON.Document) => BSON.Document = () => ({});
  readonly #sockets: Set<Socket>;
  readonly #close: () => void;

  private constructor(port: number, sockets: Set<Socket>, close: () => void) {
    super();
    this.port = port;
    this.#sockets = sockets;
    this.#close = close;
  }

  /** Listens on a port of 127.0.0.1; 0: any free port. */
  static async start(listenPort = 0): Promise<FakeMongodb> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      let received = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        while (received.length >= HEADER_BYTES && received.length >= received.readInt32LE(0)) {
          const length = received.readInt32LE(0);
          if (mongodb.isSilent) mongodb.emit('request');
          else mongodb.#answer(received.subarray(0, length), socket);
          received = received.subarray(length);
        }
      });
    });
    server.listen(listenPort, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const mongodb = new FakeMongodb(port, sockets, () => server.close());
    return mongodb;
  }

  get url(): string {
    return `mongodb://127.0.0.1:${this.port}/surety`;
  }

  #answer(request: Buffer, socket: Socket): void {
    const command = commandOf(request);
    const reply = successReply(request, this.reply(command));
    setTimeout(() => socket.write(reply), this.delayMs[Object.keys(command)[0] ?? ''] ?? 0);
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  stop(): void {
    this.#close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Reads the command of a request: of OP_MSG the section after the flags, else an empty one. */
function commandOf(request: Buffer): BSON.Document {
  return request.readInt32LE(12) === OP_MSG
    ? BSON.deserialize(request.subarray(HEADER_BYTES + 5), { allowObjectSmallerThanBufferSize: true })
    : {};
}

/** Builds the reply of a primary that supports sessions, which the driver's first request asks about. */
function successReply(request: Buffer, more: BSON.Document): Buffer {
  const body = BSON.serialize({
    ok: 1,
    helloOk: true,
    isWritablePrimary: true,
    localTime: new Date(),
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    minWireVersion: 0,
    maxWireVersion: 21,
    logicalSessionTimeoutMinutes: 30,
    ...more,
  });
  const isQuery = request.readInt32LE(12) === OP_QUERY;
  // OP_REPLY: flags, cursor id, starting from, number returned. OP_MSG: flags and the kind of the only section.
  const before = Buffer.alloc(isQuery ? 20 : 5);
  if (isQuery) before.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + before.length + body.length, 0);
  header.writeInt32LE(request.readInt32LE(4), 8);
  header.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, before, body]);
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to a service, without a client of HTTP. */
export interface RawConnection {
  /** Its errors are ignored. */
  readonly socket: Socket;
  /** Resolves with everything received, as Latin-1, when the connection closes. */
  readonly ended: Promise<string>;
}

const opened = new Set<Socket>();

/** Closes all connections that are open; call it after each test. */
export function closeConnections(): void {
  for (const socket of opened) socket.destroy();
}

/** Opens a connection; resolves also if the service closes it at once. */
export async function openConnection(url: string): Promise<RawConnection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  opened.add(socket);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  const ended = new Promise<string>((resolve) => {
    socket
      .on('error', () => {})
      .on('close', () => {
        opened.delete(socket);
        resolve(received);
      });
  });
  await new Promise((resolve) => {
    socket.once('connect', resolve).once('close', resolve);
  });
  return { socket, ended };
}

/** Opens a connection, sends a text, and stops to read after the first bytes of the response. */
export async function connectAndStall(url: string, text: string): Promise<RawConnection> {
  const connection = await openConnection(url);
  connection.socket.write(text);
  await once(connection.socket, 'data');
  connection.socket.pause();
  return connection;
}

/** Adds `Connection: close` to the last request in a text. */
export function withConnectionClose(requests: string): string {
  return requests.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n');
}

/** Returns the statuses of the responses in a text. */
export function statusesIn(received: string): (string | undefined)[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
}

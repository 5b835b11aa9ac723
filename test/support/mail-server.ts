import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail that the server accepted. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly raw: string;
}

/** What the server does with the next mails. */
export type MailServerBehaviour =
  | { readonly kind: 'accept' }
  /** Rejects every recipient with this reply code. */
  | { readonly kind: 'refuse_receiver'; readonly code: number }
  /** Rejects the message after its end. */
  | { readonly kind: 'refuse_message'; readonly code: number }
  /** Accepts the message, then closes the connection without a reply. */
  | { readonly kind: 'cut_after_data' };

/** An SMTP server on a local port. */
export interface MailServer {
  readonly port: number;
  readonly url: string;
  behaviour: MailServerBehaviour;
  readonly received: ReceivedMail[];
  /** Number of attempted deliveries, accepted or not. */
  readonly attempts: () => number;
  readonly close: () => Promise<void>;
}

/** Starts a mail server. @param port 0: any free port @throws when the port is in use */
export async function startMailServer(port = 0): Promise<MailServer> {
  let attempts = 0;
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    logger: false,
    onRcptTo: (_address, _session, callback) => {
      attempts += 1;
      const { behaviour } = own;
      callback(behaviour.kind === 'refuse_receiver' ? reply(behaviour.code) : null);
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { behaviour } = own;
        if (behaviour.kind === 'refuse_message') return callback(reply(behaviour.code));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString('utf8') });
        if (behaviour.kind === 'accept') return callback();
        for (const connection of server.connections as unknown as Iterable<OpenConnection>)
          connection._socket.destroy();
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    // After the server listens, this ignores errors of single connections: the promise is settled.
    server.on('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const listeningPort = (server.server.address() as AddressInfo).port;
  const own: MailServer = {
    port: listeningPort,
    url: `smtp://127.0.0.1:${listeningPort}`,
    behaviour: { kind: 'accept' },
    received,
    attempts: () => attempts,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
  return own;
}

interface OpenConnection {
  readonly _socket: { destroy(): void };
}

function reply(responseCode: number): Error {
  return Object.assign(new Error('rejected: secret@address.example'), { responseCode });
}

/** Parses a mail: headers by lower-case name, and the text and HTML parts. */
export function parseMail(raw: string): {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
} {
  const { headers, body } = parseHeaders(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw new Error('the mail has one part only');
  const parts = body.split(`--${boundary}`).slice(1, -1).map(parseHeaders);
  const partOf = (type: string): string => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type));
    if (part === undefined) throw new Error(`the mail has no ${type}`);
    return decodeBody(part.body, part.headers['content-transfer-encoding'] ?? '7bit');
  };
  return { headers, text: partOf('text/plain'), html: partOf('text/html') };
}

function parseHeaders(raw: string): { headers: Record<string, string>; body: string } {
  const text = raw.replace(/^\r?\n/, '');
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  return { headers: Object.fromEntries(headers) as Record<string, string>, body: text.slice(end + 4) };
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail that was taken. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly raw: string;
}

/** How the server treats the next mails. */
export type Manner =
  | { readonly kind: 'accept' }
  /** Refuses every receiver with this reply. */
  | { readonly kind: 'refuse_receiver'; readonly code: number }
  /** Refuses the message once it has it whole. */
  | { readonly kind: 'refuse_message'; readonly code: number }
  /** Cuts the line once it has the message whole, without a word; it counts as taken. */
  | { readonly kind: 'cut_after_data' };

/** A real mail server on a port of its own. */
export interface MailServer {
  readonly port: number;
  readonly url: string;
  manner: Manner;
  readonly received: ReceivedMail[];
  /** Mails that somebody wanted to hand over, taken or not. */
  readonly tries: () => number;
  readonly close: () => Promise<void>;
}

/** @param port 0: any free one. @throws when it cannot be listened on */
export async function startMailServer(port = 0): Promise<MailServer> {
  let tries = 0;
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    logger: false,
    onRcptTo: (_address, _session, callback) => {
      tries += 1;
      const { manner } = own;
      callback(manner.kind === 'refuse_receiver' ? reply(manner.code) : null);
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { manner } = own;
        if (manner.kind === 'refuse_message') return callback(reply(manner.code));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString('utf8') });
        if (manner.kind === 'accept') return callback();
        for (const connection of server.connections as unknown as Iterable<OpenConnection>)
          connection._socket.destroy();
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    // Once it listens nothing is left to reject: an error of a single connection is passed over.
    server.on('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const taken = (server.server.address() as AddressInfo).port;
  const own: MailServer = {
    port: taken,
    url: `smtp://127.0.0.1:${taken}`,
    manner: { kind: 'accept' },
    received,
    tries: () => tries,
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
  return Object.assign(new Error('not this one: secret@address.example'), { responseCode });
}

/** The headers of a mail by their names in lower case, and its parts as texts by their types. */
export function parsedMail(raw: string): {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
} {
  const { headers, body } = headersAndBody(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw new Error('the mail has one part only');
  const parts = body.split(`--${boundary}`).slice(1, -1).map(headersAndBody);
  const of = (type: string): string => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type));
    if (part === undefined) throw new Error(`the mail has no ${type}`);
    return decoded(part.body, part.headers['content-transfer-encoding'] ?? '7bit');
  };
  return { headers, text: of('text/plain'), html: of('text/html') };
}

function headersAndBody(raw: string): { headers: Record<string, string>; body: string } {
  const trimmed = raw.replace(/^\r?\n/, '');
  const end = trimmed.indexOf('\r\n\r\n');
  const lines = trimmed
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  return { headers: Object.fromEntries(headers) as Record<string, string>, body: trimmed.slice(end + 4) };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

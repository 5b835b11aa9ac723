import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import type { ComposedMail } from './mail.ts';
import { pingMailServer, smtpTransport } from './smtp-transport.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const MAIL: ComposedMail = {
  jobId: 'c0ffee00-0000-4000-8000-000000000001',
  envelope: { from: 'a@surety.example', to: 'b@acme.example' },
  raw: Buffer.from('Subject: x\r\n\r\nhello\r\n'),
};

let server: Server | undefined;
const sockets = new Set<Socket>();
/** The lines that the server has received. */
const receivedLines: string[] = [];
afterEach(() => {
  receivedLines.length = 0;
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** What a server does at each step of a mail: `cut`, `silence`, or a reply. */
type Step = string;
interface Behaviour {
  readonly greeting?: Step;
  readonly sender?: Step;
  readonly recipient?: Step;
  readonly data?: Step;
  readonly message?: Step;
}

/** A mail server with scripted, also faulty, behaviour. */
async function serverThat(behaviour: Behaviour): Promise<string> {
  const act = (socket: Socket, step: Step): void => {
    if (step === 'cut') socket.destroy();
    else if (step !== 'silence') socket.write(`${step}\r\n`);
  };
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let inMessage = false;
    let rest = '';
    act(socket, behaviour.greeting ?? '220 here');
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        receivedLines.push(line);
        rest = rest.slice(end + 2);
        if (inMessage) {
          if (line !== '.') continue;
          inMessage = false;
          act(socket, behaviour.message ?? '250 taken');
        } else if (line.startsWith('EHLO')) act(socket, '250 here');
        else if (line.startsWith('MAIL')) act(socket, behaviour.sender ?? '250 ok');
        else if (line.startsWith('RCPT')) act(socket, behaviour.recipient ?? '250 ok');
        else if (line === 'DATA') {
          const step = behaviour.data ?? '354 go on';
          inMessage = step.startsWith('354');
          act(socket, step);
        } else act(socket, '221 bye');
      }
    });
  });
  await new Promise<void>((resolve) => {
    server?.listen(0, '127.0.0.1', resolve);
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function send(behaviour: Behaviour, signal = new AbortController().signal) {
  return await smtpTransport({ url: await serverThat(behaviour), timeoutMs: 300 }).send(MAIL, signal);
}

const refused = (reason: string, smtpCode: number | null = null) => ({ status: 'refused', reason, smtpCode });

describe('sending a mail', () => {
  test.each<[Behaviour, object]>([
    [{}, { status: 'sent' }],
    [{ greeting: '554 go away' }, refused('server_unreachable', 554)],
    [{ greeting: 'cut' }, refused('server_unreachable')],
    [{ greeting: 'silence' }, refused('server_unreachable')],
    [{ sender: '550 not you' }, refused('sender_refused', 550)],
    [{ recipient: '451 later' }, refused('recipient_refused', 451)],
    [{ recipient: 'cut' }, refused('connection_lost')],
    [{ recipient: 'silence' }, refused('timeout')],
    [{ data: '452 full' }, refused('message_refused', 452)],
    [{ data: 'cut' }, refused('connection_lost')],
    [{ message: '554 spam' }, refused('message_refused', 554)],
    [{ message: '451 later' }, refused('message_refused', 451)],
    [{ message: 'cut' }, { status: 'unknown' }],
    [{ message: 'silence' }, { status: 'unknown' }],
  ])('to a server that behaves as %j results in %j', async (behaviour, outcome) => {
    expect(await send(behaviour)).toEqual(outcome);
  });

  test('is refused at once without a server', async () => {
    const url = await serverThat({});
    await new Promise<void>((resolve) => {
      server?.close(() => resolve());
    });
    const outcome = await smtpTransport({ url }).send(MAIL, new AbortController().signal);
    expect(outcome).toEqual(refused('server_unreachable'));
  });

  test('is refused when the process stops before the message is sent, so that it is sent later', async () => {
    const stopping = new AbortController();
    const outcome = send({ recipient: 'silence' }, stopping.signal);
    await waitUntil(() => receivedLines.some((line) => line.startsWith('RCPT')));
    stopping.abort();
    expect(await outcome).toEqual(refused('timeout'));
  });
});

describe('pinging a mail server', () => {
  test('succeeds when it greets', async () => {
    await expect(pingMailServer(await serverThat({}))).resolves.toBeUndefined();
  });

  test.each(['554 go away', 'cut', 'silence'])('fails when its greeting is "%s"', async (greeting) => {
    await expect(pingMailServer(await serverThat({ greeting }), 300)).rejects.toMatchObject({ name: 'Error' });
  });

  test('fails without a server', async () => {
    const url = await serverThat({});
    await new Promise<void>((resolve) => {
      server?.close(() => resolve());
    });
    await expect(pingMailServer(url)).rejects.toMatchObject({ code: 'ESOCKET' });
  });
});

describe('a mail server that requires a login', () => {
  let auth: SMTPServer | undefined;
  afterEach(async () => {
    await new Promise<void>((resolve) => {
      auth?.close(() => resolve());
    });
  });

  /** Its certificate is self-signed. */
  async function portOf(disabledCommands: string[]): Promise<number> {
    const own = new SMTPServer({
      disabledCommands,
      allowInsecureAuth: true,
      closeTimeout: 100,
      logger: false,
      onAuth: ({ username, password }, _session, callback) => {
        if (username === 'surety@here' && password === 'se:cret') callback(null, { user: username });
        else callback(new Error('who are you'));
      },
    });
    own.on('error', () => undefined);
    auth = own;
    await new Promise<void>((resolve) => {
      own.listen(0, '127.0.0.1', resolve);
    });
    return (own.server.address() as AddressInfo).port;
  }

  test.each([
    ['surety%40here:se%3Acret@', ['STARTTLS'], '', { status: 'sent' }],
    ['surety%40here:wrong@', ['STARTTLS'], '', refused('login_refused', 535)],
    ['surety%40here:se%3Acret@', [], '', refused('tls_failed')],
    ['surety%40here:se%3Acret@', [], '?tls.rejectUnauthorized=false', { status: 'sent' }],
  ])('smtp://%s… with %j disabled and %j results in %j', async (user, disabled, options, outcome) => {
    const url = `smtp://${user}127.0.0.1:${await portOf(disabled)}${options}`;
    expect(await smtpTransport({ url }).send(MAIL, new AbortController().signal)).toEqual(outcome);
  });
});

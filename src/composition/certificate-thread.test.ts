import { afterEach, describe, expect, test } from '@jest/globals';
import { CertificateThread } from './certificate-thread.ts';

const { signal: ANY_TIME } = new AbortController();

/** Returns a file with the code of a worker that handles a message `text`. */
const workerOf = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; parentPort.on('message', async (text) => { ${code} });`)}`,
  );
const ECHO = workerOf('parentPort.postMessage(new TextEncoder().encode(text));');
const ENDLESS = workerOf('');

let threads: CertificateThread[] = [];
afterEach(async () => {
  for (const thread of threads) await thread.stop();
  threads = [];
});

function threadWith(file: URL): CertificateThread {
  const thread = new CertificateThread(file);
  threads.push(thread);
  return thread;
}

const made = async (thread: CertificateThread, text: string, signal = ANY_TIME): Promise<string> =>
  Buffer.from(await thread.render(text, signal)).toString();

describe('the thread of certificates', () => {
  test('makes each of many that are asked for at once', async () => {
    const thread = threadWith(ECHO);
    const texts = Array.from({ length: 100 }, (_, index) => `certificate ${index}`);
    expect(await Promise.all(texts.map(async (text) => await made(thread, text)))).toEqual(texts);
  });

  test.each([
    ['throws', 'if (text === "bad") throw new Error("out of ink");'],
    ['ends', 'if (text === "bad") process.exit(3);'],
  ])('fails one certificate, and makes the others, when the worker %s', async (_how, code) => {
    const thread = threadWith(workerOf(`${code} parentPort.postMessage(new TextEncoder().encode(text));`));
    const outcomes = await Promise.allSettled(['first', 'bad', 'last'].map(async (text) => await made(thread, text)));
    expect(outcomes).toMatchObject([
      { value: 'first' },
      { status: 'rejected', reason: { message: 'The worker of certificates failed' } },
      { value: 'last' },
    ]);
  });

  test('refuses more than can be made in 5 s, by their sizes', async () => {
    const thread = threadWith(ENDLESS);
    const codes: unknown[] = [];
    const request = (text: string): void =>
      void thread.render(text, ANY_TIME).catch(({ code }: { readonly code: unknown }) => codes.push(code));
    for (let count = 0; count < 260; count += 1) request('');
    await Promise.resolve();
    // One is being made, and 250 wait.
    expect(codes).toEqual(Array.from({ length: 9 }, () => 'busy'));
    const other = threadWith(ENDLESS);
    const wait = async (text: string) => await other.render(text, ANY_TIME).catch(({ code }) => code);
    void Promise.all([wait('is made'), wait('x'.repeat(3_000_000))]);
    expect(await wait('')).toBe('busy');
  });

  test('forgets a certificate whose client leaves', async () => {
    const thread = threadWith(
      workerOf('setTimeout(() => parentPort.postMessage(new TextEncoder().encode(text)), 20);'),
    );
    const controller = new AbortController();
    const first = made(thread, 'first');
    const [left, leftWhileMade] = [made(thread, 'left', controller.signal), made(thread, 'third')];
    controller.abort(new Error('the client left'));
    await expect(left).rejects.toThrow('the client left');
    expect(await Promise.all([first, leftWhileMade])).toEqual(['first', 'third']);
    await expect(thread.render('late', controller.signal)).rejects.toThrow('the client left');
  });

  test('goes on after a client left whose certificate was being made', async () => {
    const thread = threadWith(
      workerOf('setTimeout(() => parentPort.postMessage(new TextEncoder().encode(text)), 20);'),
    );
    const controller = new AbortController();
    const first = made(thread, 'first', controller.signal);
    const second = made(thread, 'second');
    controller.abort(new Error('the client left'));
    await expect(first).rejects.toThrow('the client left');
    expect(await second).toBe('second');
  });

  test('refuses those that are not made when the service stops, and every later one', async () => {
    const thread = threadWith(ENDLESS);
    const requests = ['made', 'waiting'].map(async (text) => await thread.render(text, ANY_TIME));
    const [outcomes] = await Promise.all([Promise.allSettled(requests), thread.stop()]);
    const refused = { status: 'rejected', reason: { code: 'unavailable', message: 'The service stops' } };
    expect(outcomes).toMatchObject([refused, refused]);
    await expect(thread.render('late', ANY_TIME)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

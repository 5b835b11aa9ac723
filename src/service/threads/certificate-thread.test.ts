import { afterEach, describe, expect, test } from '@jest/globals';
import { CertificateThread } from './certificate-thread.ts';

const { signal: ANY_TIME } = new AbortController();

/** Returns a file with the code of a worker that handles a message `text`. */
const workerOf = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      let count = 0;
      const make = (text) => parentPort.postMessage({ kind: 'made', pdf: new TextEncoder().encode(text) });
      parentPort.on('message', async (text) => { ${code} });
      parentPort.postMessage({ kind: 'ready' });`)}`,
  );
const ECHO = workerOf('make(text);');
const ENDLESS = workerOf('');
/** Computes until it is terminated. */
const BUSY = workerOf('if (text === "endless") for (;;); make(text);');

let threads: CertificateThread[] = [];
afterEach(async () => {
  for (const thread of threads) await thread.stop();
  threads = [];
});

function threadWith(file: URL, limitMs?: number): CertificateThread {
  const thread = new CertificateThread(file, limitMs);
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
    const thread = threadWith(workerOf(`${code} make(text);`));
    const outcomes = await Promise.allSettled(['first', 'bad', 'last'].map(async (text) => await made(thread, text)));
    expect(outcomes).toMatchObject([
      { value: 'first' },
      { status: 'rejected', reason: { message: 'The worker of certificates failed' } },
      { value: 'last' },
    ]);
  });

  test('ends a certificate that takes too long with its worker, and makes the others', async () => {
    const thread = threadWith(BUSY, 100);
    const outcomes = await Promise.allSettled(['endless', 'next'].map(async (text) => await made(thread, text)));
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'certificate_too_large' } },
      { value: 'next' },
    ]);
  });

  test('refuses a certificate that would draw too much, and keeps the worker', async () => {
    const thread = threadWith(
      workerOf('if (text === "large") parentPort.postMessage({ kind: "too_large" }); else make(String(count += 1));'),
    );
    const outcomes = await Promise.allSettled(['large', 'next', 'last'].map(async (text) => await made(thread, text)));
    expect(outcomes).toMatchObject([{ reason: { code: 'certificate_too_large' } }, { value: '1' }, { value: '2' }]);
  });

  test('ends a certificate that takes long once its client has left, also before the worker is ready', async () => {
    const thread = threadWith(BUSY);
    for (const isReady of [false, true]) {
      const controller = new AbortController();
      const endless = made(thread, 'endless', controller.signal);
      const next = made(thread, 'next');
      if (isReady) await made(threadWith(ECHO), 'the endless one is being made');
      controller.abort(new Error('the client left'));
      await expect(endless).rejects.toThrow('the client left');
      expect(await next).toBe('next');
    }
  });

  test('forgets a certificate whose client leaves', async () => {
    const thread = threadWith(workerOf('setTimeout(() => make(text), 20);'));
    const controller = new AbortController();
    const first = made(thread, 'first');
    const [left, leftWhileMade] = [made(thread, 'left', controller.signal), made(thread, 'third')];
    controller.abort(new Error('the client left'));
    await expect(left).rejects.toThrow('the client left');
    expect(await Promise.all([first, leftWhileMade])).toEqual(['first', 'third']);
    await expect(thread.render('late', controller.signal)).rejects.toThrow('the client left');
  });

  test('goes on after a client left whose certificate was being made', async () => {
    const thread = threadWith(workerOf('setTimeout(() => make(text), 20);'));
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

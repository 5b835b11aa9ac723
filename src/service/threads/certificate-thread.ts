import type { Worker } from 'node:worker_threads';
import type { RenderCertificate } from '#queries/certificate/certificate.ts';
import { Refusal } from '#domain/refusals.ts';
import { startWorker, stopping, workerFile } from './worker-thread.ts';

/** A certificate takes some milliseconds, and the largest about 250. */
const LIMIT_MS = 5_000;
/**
 * Time limit once the client has left: a new worker takes longer than most certificates, so the worker is not ended at
 * once.
 */
const ABANDONED_LIMIT_MS = 250;

/**
 * What the worker posts: that it is ready for the first certificate, then a PDF for each, or that one would draw too
 * much.
 */
export type CertificateMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'made'; readonly pdf: Uint8Array }
  | { readonly kind: 'too_large' };

interface Job {
  readonly certificate: string;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  readonly resolve: (pdf: Uint8Array) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Makes certificates in a worker thread, in the order of their requests
 * (`docs/decisions/0026-certificates-are-made-by-one-worker-that-stays.md`).
 */
export class CertificateThread {
  readonly #file: URL;
  readonly #limitMs: number;
  readonly #waiting = new Set<Job>();
  #current: Job | undefined;
  #worker: Worker | undefined;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(file: URL = workerFile('certificate-worker', import.meta.url), limitMs = LIMIT_MS) {
    this.#file = file;
    this.#limitMs = limitMs;
  }

  readonly render: RenderCertificate = async (certificate, signal) => {
    if (this.#isStopped) throw stopping();
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const job: Job = { certificate, signal, resolve, reject };
    const leave = (): void => {
      this.#waiting.delete(job);
      if (this.#current === job) this.#limitCurrent();
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.add(job);
    this.#beginNext();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };

  /** Terminates the worker, and refuses the certificates that are not made. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const job of this.#waiting) job.reject(stopping());
    this.#waiting.clear();
    this.#current?.reject(stopping());
    await this.#worker?.terminate();
  }

  #beginNext(): void {
    if (this.#current !== undefined) return;
    const [job] = this.#waiting;
    if (job === undefined) return;
    this.#waiting.delete(job);
    this.#current = job;
    this.#worker ??= this.#startWorker();
    this.#limitCurrent();
    this.#worker.postMessage(job.certificate);
  }

  /**
   * Ends the worker with the certificate that it makes, unless it is made within the time. Its start does not count.
   */
  #limitCurrent(): void {
    clearTimeout(this.#timer);
    if (!this.#isReady) return;
    this.#timer = setTimeout(
      () => {
        const worker = this.#worker;
        this.#forgetWorker();
        // A thread that computes ends at the next operation, which needs no wait: the next worker starts beside it.
        void worker?.terminate();
        this.#endCurrent(({ reject }) => reject(tooLarge()));
      },
      this.#current?.signal.aborted === true ? ABANDONED_LIMIT_MS : this.#limitMs,
    );
  }

  #startWorker(): Worker {
    const worker = startWorker(this.#file);
    let cause: unknown;
    worker.on('message', (message: CertificateMessage) => {
      if (this.#worker === worker) this.#receive(message);
    });
    worker.once('error', (error: unknown) => (cause = error));
    worker.once('exit', () => {
      if (this.#worker !== worker) return;
      this.#forgetWorker();
      this.#endCurrent(({ reject }) => reject(new Error('The worker of certificates failed', { cause })));
    });
    return worker;
  }

  #receive(message: CertificateMessage): void {
    switch (message.kind) {
      case 'ready':
        this.#isReady = true;
        this.#limitCurrent();
        break;
      case 'made':
        this.#endCurrent(({ resolve }) => resolve(message.pdf));
        break;
      case 'too_large':
        this.#endCurrent(({ reject }) => reject(tooLarge()));
        break;
      default:
        message satisfies never;
    }
  }

  #forgetWorker(): void {
    this.#worker = undefined;
    this.#isReady = false;
  }

  #endCurrent(end: (job: Job) => void): void {
    clearTimeout(this.#timer);
    if (this.#current !== undefined) end(this.#current);
    this.#current = undefined;
    this.#beginNext();
  }
}

function tooLarge(): Refusal {
  return new Refusal('certificate_too_large');
}

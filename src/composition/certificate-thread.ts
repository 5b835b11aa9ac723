import type { Worker } from 'node:worker_threads';
import type { RenderCertificate } from '../../queries/certificate/certificate.ts';
import { Refusal } from '../domain/refusals.ts';
import { startWorker, stopping, workerFile } from './worker-thread.ts';

/**
 * A certificate takes about 10 ms, and as long again for each 10,000 characters of its JSON. With these sizes the last of those that wait is
 * made after less than 5 s, and they need a few MB of memory.
 */
const SIZE_OF_ANY = 10_000;
const MAX_WAITING_SIZE = 2_500_000;

interface Job {
  readonly certificate: string;
  readonly size: number;
  readonly resolve: (pdf: Uint8Array) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Makes certificates in a worker thread, in the order of their requests
 * (`docs/decisions/0026-certificates-are-made-by-one-worker-that-stays.md`).
 */
export class CertificateThread {
  readonly #file: URL;
  readonly #waiting = new Set<Job>();
  #waitingSize = 0;
  #current: Job | undefined;
  #worker: Worker | undefined;
  #isStopped = false;

  constructor(file: URL = workerFile('certificate-worker', import.meta.url)) {
    this.#file = file;
  }

  readonly render: RenderCertificate = async (certificate, signal) => {
    if (this.#isStopped) throw stopping();
    signal.throwIfAborted();
    const size = SIZE_OF_ANY + certificate.length;
    if (this.#waiting.size > 0 && this.#waitingSize + size > MAX_WAITING_SIZE)
      throw new Refusal('busy', 'Too many certificates wait to be made; send the same request again');
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const job: Job = { certificate, size, resolve, reject };
    const leave = (): void => {
      this.#remove(job);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.add(job);
    this.#waitingSize += size;
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
    for (const job of this.#waiting) {
      this.#remove(job);
      job.reject(stopping());
    }
    this.#current?.reject(stopping());
    await this.#worker?.terminate();
  }

  #remove(job: Job): void {
    if (this.#waiting.delete(job)) this.#waitingSize -= job.size;
  }

  #beginNext(): void {
    if (this.#current !== undefined) return;
    const [job] = this.#waiting;
    if (job === undefined) return;
    this.#remove(job);
    this.#current = job;
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage(job.certificate);
  }

  #startWorker(): Worker {
    const worker = startWorker(this.#file);
    let cause: unknown;
    worker.on('message', (pdf: Uint8Array) => this.#endCurrent(({ resolve }) => resolve(pdf)));
    worker.once('error', (error: unknown) => (cause = error));
    worker.once('exit', () => {
      this.#worker = undefined;
      this.#endCurrent(({ reject }) => reject(new Error('The worker of certificates failed', { cause })));
    });
    return worker;
  }

  #endCurrent(end: (job: Job) => void): void {
    if (this.#current !== undefined) end(this.#current);
    this.#current = undefined;
    this.#beginNext();
  }
}

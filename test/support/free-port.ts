import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports, so that no outgoing connection takes the port before the test listens on it. Above 10080,
 * the highest port that `fetch` blocks (https://fetch.spec.whatwg.org/#port-blocking).
 */
const FIRST_PORT = 10_081;
const END_PORT = 32_000;

/**
 * Each worker of jest has its own ports (`maxWorkers` is at most 8): a port is free until its server listens, seconds
 * later.
 */
const WORKERS = 8;
const PORTS_OF_WORKER = Math.floor((END_PORT - FIRST_PORT) / WORKERS);
const firstOfWorker = FIRST_PORT + ((Number(process.env['JEST_WORKER_ID'] ?? 1) - 1) % WORKERS) * PORTS_OF_WORKER;

/** Finds a free port; it is chosen at random, so that concurrent runs rarely choose the same one. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port ?? 0;
}

/** Finds consecutive free ports. */
export async function freePorts(count: number): Promise<readonly number[]> {
  for (;;) {
    const first = firstOfWorker + randomInt(PORTS_OF_WORKER - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(isFree));
    if (!free.includes(false)) return ports;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = Promise.withResolvers<boolean>();
  server.once('error', () => listening.resolve(false));
  server.listen(port, '127.0.0.1', () => listening.resolve(true));
  const free = await listening.promise;
  if (!free) return false;
  server.close();
  await once(server, 'close');
  return true;
}

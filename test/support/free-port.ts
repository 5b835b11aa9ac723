import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that a system hands out by itself: no connection takes one in the time until it is listened on. Above 10080, the
 * highest port that `fetch` refuses (https://fetch.spec.whatwg.org/#port-blocking).
 */
const FIRST = 10_081;
const BEHIND = 32_000;

/** A port of this machine that nothing listens on, and that no other suite is likely to choose meanwhile. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port ?? 0;
}

/** So many ports in a row that nothing listens on. */
export async function freePorts(count: number): Promise<readonly number[]> {
  for (;;) {
    const first = randomInt(FIRST, BEHIND - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(isFree));
    if (!free.includes(false)) return ports;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const taken = Promise.withResolvers<boolean>();
  server.once('error', () => taken.resolve(false));
  server.listen(port, '127.0.0.1', () => taken.resolve(true));
  const free = await taken.promise;
  if (!free) return false;
  server.close();
  await once(server, 'close');
  return true;
}

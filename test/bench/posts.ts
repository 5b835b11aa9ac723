import { Agent, request, type RequestOptions } from 'node:http';
import { performance } from 'node:perf_hooks';

/** A `POST` request: path, JSON body and the Idempotency-Key, if it has one. */
export interface Post {
  readonly path: string;
  readonly body: object;
  readonly idempotencyKey?: string;
}

/**
 * Sends the requests with a key and a number of concurrent workers; worker i sends every request i + k·n in order.
 * @param took the milliseconds of each request are added to it
 * @returns responses per second
 * @throws {Error} at the first response that is not successful
 */
export async function postsPerSecond(
  url: string,
  apiKey: string,
  posts: readonly Post[],
  inFlight: number,
  took: number[] = [],
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const lane = async (first: number): Promise<void> => {
    for (let at = first, post = posts[at]; post !== undefined; at += inFlight, post = posts[at]) {
      const sentAt = performance.now();
      await send(agent, url, apiKey, post);
      took.push(performance.now() - sentAt);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, async (_, first) => await lane(first)));
  const seconds = (performance.now() - start) / 1_000;
  agent.destroy();
  return posts.length / seconds;
}

/** Does the work for each item, so many at a time; returns the seconds. */
export async function inFlight<T>(all: readonly T[], count: number, work: (one: T) => Promise<void>): Promise<number> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < all.length) await work(all[next++] as T);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: count }, worker));
  return (performance.now() - start) / 1_000;
}

/** Sends a request and returns its response. @throws {Error} when it is not successful */
export async function send(agent: Agent, url: string, apiKey: string, post: Post): Promise<string> {
  const { path, body, idempotencyKey } = post;
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    'X-API-Key': apiKey,
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };
  return await responseOf(url + path, { agent, method: 'POST', headers }, bytes);
}

/** Reads a path and returns the response. @throws {Error} when it is not successful */
export async function read(agent: Agent, url: string, apiKey: string, path: string): Promise<string> {
  return await responseOf(url + path, { agent, headers: { 'X-API-Key': apiKey } });
}

async function responseOf(address: string, options: RequestOptions, body?: Buffer): Promise<string> {
  return await new Promise((resolve, reject) => {
    const sent = request(address, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if ((response.statusCode ?? 500) < 300) resolve(text);
        else reject(new Error(`${address}: ${response.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

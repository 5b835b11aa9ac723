import type { BodyStream } from '#queries/query.ts';

/** Response to a request. Common headers (request id, length, …) are added when it is sent. */
export interface RouteResponse {
  readonly status: number;
  /** Several values of a header are several lines. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array | BodyStream | undefined;
  readonly log?: Readonly<Record<string, unknown>>;
}

/** Produces the first chunk of a body, so that an error becomes a problem. @returns the body from its first chunk on */
export async function openStream(body: string | BodyStream): Promise<string | BodyStream> {
  if (typeof body === 'string') return body;
  const iterator = body.chunks()[Symbol.asyncIterator]();
  const first = await iterator.next();
  const rest = { [Symbol.asyncIterator]: () => iterator };
  async function* chunks(): AsyncGenerator<string | Uint8Array> {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  }
  return { ...body, chunks };
}

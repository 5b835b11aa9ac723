import type { BodyStream } from '../../../queries/query.ts';

/** Answer to a request. Common headers (request id, length, …) are added when it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | BodyStream | undefined;
  readonly log?: Readonly<Record<string, unknown>>;
}

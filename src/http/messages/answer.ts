import type { BodyStream } from '../../../queries/query.ts';

/** Answer to a request. Common headers (request id, length, …) are added when it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for answers without a body, such as 304. */
  readonly body: string | Uint8Array | BodyStream | undefined;
  /** Additional fields of the access log. */
  readonly log?: Readonly<Record<string, unknown>>;
}

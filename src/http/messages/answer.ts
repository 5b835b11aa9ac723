/** An answer, ready to be written. Headers that every answer has (request id, length, …) are added when it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for answers that have none, as 304. */
  readonly body: string | Uint8Array | undefined;
  /** Fields of the request log besides status and time. */
  readonly log?: Readonly<Record<string, unknown>>;
}

/** What goes back, ready to be written. What every answer carries (request id, length, …) is added when it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for answers that have none, as 304. */
  readonly body: string | Uint8Array | undefined;
  /** What the request log tells of it besides status and time. */
  readonly log?: Readonly<Record<string, unknown>>;
}

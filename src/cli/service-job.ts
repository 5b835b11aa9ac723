import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from './outcome.ts';
import type { ServiceResponse } from './service-client.ts';

type Members = Readonly<Record<string, unknown>>;

const POLL_MS = 200;

/** Reads a rebuild or a verification again until it has ended. */
export async function waitForEnd<Job extends { readonly state: string }>(
  read: () => Promise<Job>,
  onProgress: (job: Job) => void,
): Promise<Job> {
  for (;;) {
    const job = await read();
    if (job.state !== 'running') return job;
    onProgress(job);
    await pause(POLL_MS);
  }
}

/**
 * Returns the JSON of a response. A refusal because one runs already names that one.
 * @throws {OperatorError} when the service refuses for another reason
 */
export function parseJob(url: string, { status, text }: ServiceResponse, runningCode?: string): Members {
  const body = parseJson(text);
  if (body === undefined) throw new OperatorError(`The service at ${url} responds with no JSON.`);
  if (status < 300 || (runningCode !== undefined && body['code'] === runningCode)) return body;
  throw new OperatorError(`The service at ${url} refuses with ${status}: ${String(body['error'])}.`);
}

function parseJson(text: string): Members | undefined {
  try {
    return JSON.parse(text) as Members;
  } catch {
    return undefined;
  }
}

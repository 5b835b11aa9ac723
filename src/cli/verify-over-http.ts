import { reportOf, type VerificationLine } from '../http/messages/verification-lines.ts';
import type { VerificationReport } from '../projector/verification.ts';
import { OperatorError } from './outcome.ts';
import type { ServiceClient } from './service-client.ts';

type ProgressLine = Extract<VerificationLine, { type: 'progress' }>;

/**
 * Lets a running service verify its read models, and closes the client.
 * @throws {ServiceUnreachable} when the service does not respond, or cuts its response
 * @throws {OperatorError} when it refuses the verification, cannot verify, or ends without a result
 */
export async function verifyOverHttp(
  client: ServiceClient,
  onProgress: (progress: ProgressLine) => void,
): Promise<VerificationReport> {
  const { url } = client;
  const lines: VerificationLine[] = [];
  try {
    const { status, text } = await client.getLines('api/v1/admin/verification/', (text) => {
      const line = parseJson(text) as VerificationLine | undefined;
      if (line?.type === 'progress') onProgress(line);
      else if (line !== undefined) lines.push(line);
    });
    if (status !== 200) throw new OperatorError(`The service at ${url} ${refusalOf(status, text)}.`);
  } finally {
    client.close();
  }
  const problem = lines.find((line) => line.type === 'problem');
  if (problem !== undefined) throw new OperatorError(`The service at ${url} stopped verifying: ${problem.detail}.`);
  const report = reportOf(lines);
  if (report === undefined) throw new OperatorError(`The service at ${url} ended its response without a result.`);
  return report;
}

function refusalOf(status: number, text: string): string {
  const { code, detail } = (parseJson(text) ?? {}) as { readonly code?: string; readonly detail?: string };
  if (code === 'route_not_found') return 'is of a release that cannot verify while it runs';
  return `refuses the verification: ${detail ?? `it responded with ${status}`}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { RunVerification } from '../../projector/verification.ts';
import type { VerificationProgress } from '../../projector/verify.ts';
import { requireBuilt } from '../handlers/positions.ts';
import { signalOf } from '../messages/client-signal.ts';
import { JSON_LINES_TYPE } from '../messages/download-formats.ts';
import { openStream } from '../messages/open-stream.ts';
import { asRefusal } from '../messages/problem.ts';
import { noParameters, parseQuery } from '../messages/query-string.ts';
import { linesOf, progressLineOf, verificationLine, type VerificationLine } from '../messages/verification-lines.ts';
import type { AuthenticatedRoute } from '../route.ts';

/** Shorter than the time after which a client, a proxy or this service cuts a silent connection. */
const PROGRESS_INTERVAL_MS = 500;

const HEADERS = {
  'Content-Type': `${JSON_LINES_TYPE}; charset=utf-8`,
  'Cache-Control': 'no-store',
  Vary: 'X-API-Key',
};

const verifyRoute: AuthenticatedRoute = {
  name: 'VerifyReadModels',
  summary: 'Compares the read models with a recomputation from the log.',
  method: 'GET',
  path: '/api/v1/admin/verification',
  kind: 'admin',
  roles: ['admin', 'auditor'],
  wrongRoleCode: 'forbidden',
  reference: { search: noParameters, body: undefined, answer: verificationLine, status: 200, paged: false },
  handle: async ({ request, response, search }, context) => {
    parseQuery(noParameters, search);
    requireBuilt(context);
    const chunks = (): AsyncGenerator<string> => textOf(answerLines(context.runVerification, signalOf(response)));
    const body = { chunks };
    // HEAD gets the headers only, so nothing runs.
    return { status: 200, headers: HEADERS, body: request.method === 'HEAD' ? body : await openStream(body) };
  },
};

export const verificationRoutes: readonly AuthenticatedRoute[] = [verifyRoute];

async function* textOf(lines: AsyncIterable<VerificationLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/**
 * Produces the lines of the answer. An error after the first line becomes a line, because the headers are sent.
 * @throws {Refusal} @throws {StoreUnavailable} before the first line
 */
async function* answerLines(run: RunVerification, signal: AbortSignal): AsyncGenerator<VerificationLine> {
  let progress: VerificationProgress | undefined;
  const begun = Promise.withResolvers<false>();
  const running = run(signal, (latest) => {
    progress = latest;
    begun.resolve(false);
  });
  const ended = running.then(
    () => true,
    () => true,
  );
  let hasLine = false;
  while (!(await Promise.race([ended, hasLine ? pause(PROGRESS_INTERVAL_MS, false, { ref: false }) : begun.promise]))) {
    if (progress === undefined) continue;
    hasLine = true;
    yield progressLineOf(progress);
  }
  try {
    yield* linesOf(await running);
  } catch (error) {
    const { code, detail } = asRefusal(error);
    if (!hasLine || signal.aborted || code === 'internal_error') throw error;
    yield { type: 'problem', code, detail: detail ?? code };
  }
}

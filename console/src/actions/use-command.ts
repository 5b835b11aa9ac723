import { useRef, useState } from 'preact/hooks';
import { ConflictError, PreconditionFailedError, SuretyError } from '../../../clients/typescript/src/index.ts';
import { randomId } from '../../../clients/typescript/src/messages.ts';
import { changes } from '../requests/changes.ts';
import type { Session } from '../session.ts';
import { type Attempt, dropAttempt, keepAttempt, unansweredAttempt } from './attempts.ts';
import { type CommandName, send } from './commands.ts';

/** What a form executes, and about what. */
export interface Target {
  readonly session: Session;
  readonly name: CommandName;
  readonly formId: string;
  /** Parameter of the path, where the operation has one. */
  readonly id: string;
  /** `ETag` of what the page shows: what has changed since is not changed unseen. */
  readonly etag: string | undefined;
}

export interface CommandState {
  /** What was sent and has had no answer: only the same may be sent. */
  readonly waiting: Attempt | undefined;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly isRetrying: boolean;
  /** Executes the command once; resolves with nothing where it was refused or not answered. */
  readonly execute: (body: object) => Promise<{ readonly response: unknown } | undefined>;
  readonly preview: (body: object) => Promise<{ readonly response: unknown } | undefined>;
}

/** Statuses after which the command may have been executed by an earlier attempt, or later. */
const UNANSWERED = [401, 408, 429];

function isAnswered(error: unknown): boolean {
  if (!(error instanceof SuretyError)) return error instanceof TypeError;
  const { status, code } = error;
  // A proxy answers in place of the service, which may have executed it. A body that is too large for it stays so.
  if (code === 'unexpected_response') return status === 413;
  return status !== undefined && status < 500 && !UNANSWERED.includes(status);
}

/**
 * Executes a command once, whatever is clicked, lost or reloaded: key and body are kept until an answer has come. After
 * an answer the next attempt has another key.
 */
export function useCommand({ session, name, formId, id, etag }: Target): CommandState {
  const [waiting, setWaiting] = useState(() => unansweredAttempt(formId));
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [isRetrying, setRetrying] = useState(false);
  // A second click comes before the page is rendered again.
  const isInFlight = useRef(false);

  async function call(request: () => Promise<unknown>): Promise<{ readonly response: unknown } | undefined> {
    if (isInFlight.current) return undefined;
    isInFlight.current = true;
    setBusy(true);
    setError(undefined);
    try {
      return { response: await request() };
    } catch (failure) {
      setError(failure);
      return undefined;
    } finally {
      isInFlight.current = false;
      setBusy(false);
      setRetrying(false);
    }
  }

  const onRetry = (): void => setRetrying(true);
  const execute = async (body: object) =>
    await call(async () => {
      const attempt = waiting ?? { key: randomId(), body, ifMatch: etag };
      keepAttempt(formId, attempt);
      try {
        const options = { idempotencyKey: attempt.key, ifMatch: attempt.ifMatch, onRetry };
        const response = await send(session, name, id, attempt.body, options);
        dropAttempt(formId, attempt);
        setWaiting(undefined);
        return response;
      } catch (failure) {
        const isOver = isAnswered(failure);
        if (isOver) dropAttempt(formId, attempt);
        // The page shows what is no longer so.
        if (failure instanceof ConflictError || failure instanceof PreconditionFailedError) changes.value += 1;
        setWaiting(isOver ? undefined : attempt);
        throw failure;
      }
    });
  const preview = async (body: object) =>
    await call(async () => await send(session, name, id, body, { preview: true, onRetry }));
  return { waiting, error, isBusy, isRetrying, execute, preview };
}

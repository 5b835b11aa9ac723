import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallOptions, SuretyError } from '../../../clients/typescript/src/index.ts';
import { changes } from './changes.ts';

/**
 * State of a request. The last value stays while it is requested again, and when that fails; so does the last error
 * until a success.
 */
export interface RequestState<T> {
  readonly value?: T | undefined;
  readonly error?: unknown;
  readonly isLoading: boolean;
  /** Error for which the client repeats the request. */
  readonly retrying?: SuretyError | undefined;
  readonly reload: () => void;
}

/** A slider that moves sends one request, when it rests. */
const DEBOUNCE_MS = 100;

/**
 * Sends a request, again whenever the key changes and after each command of the page. One request is in flight; the
 * last key wins.
 */
export function useRequest<T>(key: string, send: (options: CallOptions) => Promise<T>): RequestState<T> {
  const [state, setState] = useState<Omit<RequestState<T>, 'reload'>>({ isLoading: true });
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(send);
  latest.current = send;
  const currentKey = useRef(key);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const isReload = currentKey.current === key;
    currentKey.current = key;
    const set: typeof setState = (change) => {
      if (!signal.aborted) setState(change);
    };
    set(({ value, error }) => ({ value, error: isReload ? error : undefined, isLoading: true }));
    const onRetry = (retrying: SuretyError): void => set((before) => ({ ...before, retrying }));
    const start = (): void =>
      void latest.current({ signal, onRetry }).then(
        (value) => set(() => ({ value, isLoading: false })),
        // The value of another key is not shown beside the error of this one.
        (error: unknown) => set(({ value }) => ({ value: isReload ? value : undefined, error, isLoading: false })),
      );
    const timer = setTimeout(start, isReload ? 0 : DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, attempt, changes.value]);
  return { ...state, reload: () => setAttempt((count) => count + 1) };
}

/** Repeats a request some time after each result. */
export function useReloadEvery({ isLoading, reload }: RequestState<unknown>, ms: number, isActive = true): void {
  useEffect(() => {
    if (isLoading || !isActive) return;
    const timer = setTimeout(reload, ms);
    return () => clearTimeout(timer);
  }, [isLoading, isActive]);
}

import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallOptions, SuretyError } from '../../clients/typescript/src/index.ts';

/** What a view has loaded. The last value stays while the next one is loaded, and when a reload fails. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Why the request is being repeated. */
  readonly retrying: SuretyError | undefined;
  readonly reload: () => void;
}

interface State<T> {
  readonly value?: T;
  readonly error?: unknown;
  readonly retrying?: SuretyError;
  readonly isLoading: boolean;
}

/** Loads what a view shows, again whenever the key changes. One request is in flight; the last key wins. */
export function useLoaded<T>(key: string, load: (options: CallOptions) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ isLoading: true });
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const shownKey = useRef(key);
  useEffect(() => {
    const run = new AbortController();
    const { signal } = run;
    const isReload = shownKey.current === key;
    shownKey.current = key;
    const set = (change: (before: State<T>) => State<T>): void => {
      if (!signal.aborted) setState(change);
    };
    set(({ error: _, retrying: __, ...before }) => ({ ...before, isLoading: true }));
    const onRetry = (retrying: SuretyError): void => set((before) => ({ ...before, retrying }));
    latest.current({ signal, onRetry }).then(
      (value) => set(() => ({ value, isLoading: false })),
      // What failed to load is not shown under another key; after a reload the last value stays.
      (error: unknown) =>
        set(({ value }) => ({ ...(isReload && value !== undefined ? { value } : {}), error, isLoading: false })),
    );
    return () => run.abort();
  }, [key, attempt]);
  const { value, error, retrying, isLoading } = state;
  return { value, error, retrying, isLoading, reload: () => setAttempt((count) => count + 1) };
}

/** Loads again some time after each result. */
export function useReloadEvery({ isLoading, reload }: Loaded<unknown>, ms: number, isActive = true): void {
  useEffect(() => {
    if (isLoading || !isActive) return;
    const timer = setTimeout(reload, ms);
    return () => clearTimeout(timer);
  }, [isLoading, isActive]);
}

/** Reads the items of a list. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Reads a download of JSON Lines. */
export async function jsonLines<T>(response: Response): Promise<readonly T[]> {
  const text = await response.text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallOptions, SuretyError } from '../../clients/typescript/src/index.ts';

/** What a view has loaded. The last value stays while the next one is loaded. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Why the request is being repeated. */
  readonly retrying: SuretyError | undefined;
  readonly reload: () => void;
}

/**
 * Loads what a view shows, again whenever the key changes. One request is in flight; the last key wins.
 */
export function useLoaded<T>(key: string, load: (options: CallOptions) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown; retrying?: SuretyError; isLoading: boolean }>({
    isLoading: true,
  });
  const [attempt, setAttempt] = useState(0);
  const current = useRef({
    wanted: '',
    running: undefined as string | undefined,
    load,
    closing: new AbortController(),
  });
  current.current.load = load;
  useEffect(() => () => current.current.closing.abort(), []);
  useEffect(() => {
    const { current: now } = current;
    const { signal } = now.closing;
    now.wanted = `${attempt} ${key}`;
    if (now.running !== undefined) return;
    void (async () => {
      while (now.running !== now.wanted && !signal.aborted) {
        now.running = now.wanted;
        setState(({ value }) => ({ ...(value === undefined ? {} : { value }), isLoading: true }));
        const onRetry = (retrying: SuretyError): void => setState((before) => ({ ...before, retrying }));
        try {
          const value = await now.load({ signal, onRetry });
          if (now.running === now.wanted) setState({ value, isLoading: false });
        } catch (error) {
          if (now.running === now.wanted && !signal.aborted) setState({ error, isLoading: false });
        }
      }
      now.running = undefined;
    })();
  }, [key, attempt]);
  const { value, error, retrying, isLoading } = state;
  return { value, error, retrying, isLoading, reload: () => setAttempt((count) => count + 1) };
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

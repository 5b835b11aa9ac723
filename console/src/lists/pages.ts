import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallOptions, ListOptions, SuretyError } from '../../../clients/typescript/src/index.ts';

const PAGE = 100;

interface State<T> {
  readonly items: readonly T[];
  readonly error?: unknown;
  readonly isLoading: boolean;
  readonly retrying?: SuretyError;
  readonly isComplete: boolean;
}

/** A list that is read by pages. */
export interface Pages<T> extends State<T> {
  readonly more: () => void;
  readonly reload: () => void;
}

const EMPTY = { items: [], isLoading: true, isComplete: false };

/** Reads a list by pages, again from the start whenever the key changes. */
export function usePages<T>(key: string, open: (options: ListOptions) => AsyncGenerator<T>): Pages<T> {
  const [state, setState] = useState<State<T>>(EMPTY);
  const [attempt, setAttempt] = useState(0);
  const reading = useRef<{ readonly next: () => Promise<void> } | undefined>(undefined);
  useEffect(() => {
    const closing = new AbortController();
    const { signal } = closing;
    const onRetry: CallOptions['onRetry'] = (retrying) => setState((before) => ({ ...before, retrying }));
    const list = open({ signal, onRetry });
    setState(EMPTY);
    const next = async (): Promise<void> => {
      setState(({ retrying: _, error: __, ...before }) => ({ ...before, isLoading: true }));
      const items: T[] = [];
      try {
        let isComplete = false;
        while (items.length < PAGE && !isComplete) {
          const next: IteratorResult<T, unknown> = await list.next();
          if (next.done === true) isComplete = true;
          else items.push(next.value);
        }
        setState((before) => ({ items: [...before.items, ...items], isLoading: false, isComplete }));
      } catch (error) {
        if (!signal.aborted) setState((before) => ({ ...before, isLoading: false, error }));
      }
    };
    reading.current = { next };
    void next();
    return () => closing.abort();
  }, [key, attempt]);
  return {
    ...state,
    more: () => void reading.current?.next(),
    reload: () => setAttempt((count) => count + 1),
  };
}

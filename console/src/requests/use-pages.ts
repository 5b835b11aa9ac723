import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListOptions } from '../../../clients/typescript/src/index.ts';
import { changes } from './changes.ts';
import type { RequestState } from './use-request.ts';

const PAGE = 100;

/** A list that is read by pages. A reload reads what is shown, and one page more. */
export interface Pages<T> extends Omit<RequestState<unknown>, 'value'> {
  readonly items: readonly T[];
  /** Whether the last page has been read. */
  readonly isComplete: boolean;
  readonly more: () => void;
}

const EMPTY = { items: [], isLoading: true, isComplete: false };

/** Reads a list by pages, again from the start whenever the key changes and after each command of the page. */
export function usePages<T>(key: string, open: (options: ListOptions) => AsyncGenerator<T>): Pages<T> {
  const [state, setState] = useState<Omit<Pages<T>, 'more' | 'reload'>>(EMPTY);
  const [attempt, setAttempt] = useState(0);
  const readMore = useRef<(() => void) | undefined>(undefined);
  const currentKey = useRef(key);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const set: typeof setState = (change) => {
      if (!signal.aborted) setState(change);
    };
    const list = open({ signal, onRetry: (retrying) => set((before) => ({ ...before, retrying })) });
    const items: T[] = [];
    let isReading = false;
    const read = async (count: number): Promise<void> => {
      if (isReading) return;
      isReading = true;
      set(({ retrying: _, error: __, ...before }) => ({ ...before, isLoading: true }));
      try {
        let isComplete = false;
        for (const end = items.length + count; items.length < end && !isComplete; ) {
          const next: IteratorResult<T, unknown> = await list.next();
          if (next.done === true) isComplete = true;
          else items.push(next.value);
        }
        set(() => ({ items: [...items], isLoading: false, isComplete }));
      } catch (error) {
        set((before) => ({ ...before, isLoading: false, error }));
      }
      isReading = false;
    };
    const isReload = currentKey.current === key;
    currentKey.current = key;
    if (!isReload) setState(EMPTY);
    readMore.current = () => void read(PAGE);
    void read((isReload ? state.items.length : 0) + PAGE);
    return () => controller.abort();
  }, [key, attempt, changes.value]);
  return { ...state, more: () => readMore.current?.(), reload: () => setAttempt((count) => count + 1) };
}

import { useState } from 'preact/hooks';

interface Action {
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly run: (action: () => Promise<unknown>) => Promise<void>;
}

/** Runs what a button does: whether it is under way, and why the last time failed. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    await action().catch(setError);
    setBusy(false);
  };
  return { isBusy, error, run };
}

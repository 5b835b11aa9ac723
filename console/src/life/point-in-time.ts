import type { CallOptions } from '../../../clients/typescript/src/index.ts';
import { type Loaded, useLoaded } from '../load.ts';
import { route } from '../route.ts';

/** The day and the knowledge of a view; members that are absent or undefined mean now. */
export interface PointInTime {
  readonly as_of?: string | undefined;
  readonly known_at?: string | undefined;
}

/** A thing now, and on the chosen day as known at the chosen instant. */
export interface Views<T> {
  readonly current: Loaded<T>;
  /** The same as `current` where nothing is chosen. */
  readonly view: Loaded<T | undefined>;
}

/** Loads a thing as it is now and as the address asks for it. */
export function useViews<T>(key: string, get: (point: PointInTime, options: CallOptions) => Promise<T>): Views<T> {
  const { as_of, known_at } = route.value.query;
  const isPast = as_of !== undefined || known_at !== undefined;
  const current = useLoaded(key, async (options) => await get({}, options));
  const chosen = useLoaded(JSON.stringify([key, as_of, known_at]), async (options) =>
    isPast ? await get({ as_of, known_at }, options) : undefined,
  );
  return { current, view: isPast ? chosen : current };
}

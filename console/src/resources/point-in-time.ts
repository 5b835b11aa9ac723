import type { CallOptions } from '../../../clients/typescript/src/index.ts';
import { type RequestState, useRequest } from '../requests/use-request.ts';
import { route } from '../route.ts';

/** Day and instant of a view; members that are absent or undefined mean now. */
export interface PointInTime {
  readonly as_of?: string | undefined;
  readonly known_at?: string | undefined;
}

/** A resource, and the day and instant of which it is: while the next view loads, those of the address are others. */
export interface PointInTimeView<T> {
  readonly resource: T;
  readonly point: PointInTime;
}

interface PointInTimeViews<T> {
  readonly current: RequestState<PointInTimeView<T>>;
  /** The same as `current` where neither day nor instant is chosen. */
  readonly view: RequestState<PointInTimeView<T> | undefined>;
}

/** Requests a resource as it is now, and as the address asks for it. */
export function usePointInTimeViews<T>(
  key: string,
  get: (point: PointInTime, options: CallOptions) => Promise<T>,
): PointInTimeViews<T> {
  const { as_of, known_at } = route.value.query;
  const isPast = as_of !== undefined || known_at !== undefined;
  const viewAt = async (point: PointInTime, options: CallOptions): Promise<PointInTimeView<T>> => ({
    resource: await get(point, options),
    point,
  });
  const current = useRequest(key, async (options) => await viewAt({}, options));
  const past = useRequest(JSON.stringify([key, as_of, known_at]), async (options) =>
    isPast ? await viewAt({ as_of, known_at }, options) : undefined,
  );
  return { current, view: isPast ? past : current };
}

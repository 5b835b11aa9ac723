import type { CallOptions } from '../../../clients/typescript/src/index.ts';
import { type RequestState, useRequest } from '../requests/use-request.ts';
import { dayOf } from '../format.ts';
import { route } from '../route.ts';
import { todayIn } from '../session.ts';

/** Day and instant of a view; members that are absent or undefined mean now. */
export interface PointInTime {
  readonly as_of?: string | undefined;
  readonly known_at?: string | undefined;
}

/** A resource with the day and instant that it was requested for. The address may already name others. */
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

/** Returns the day by which a view is judged: the chosen one, else the day of the chosen instant, else today. */
export function dayOfView({ as_of, known_at }: PointInTime, zone: string): string {
  return as_of ?? (known_at === undefined ? todayIn(zone) : dayOf(new Date(known_at), zone));
}

import { nameDistance } from '#event-sourcing/executor/name-distance.ts';
import type { Route } from './route.ts';

/** What is compared of a path, so that its cost has a limit. */
const MAX_CHARACTERS = 200;
const MAX_SEGMENTS = 8;

/** Costs of a segment that the request leaves out, of one too many, and of a parameter, which any segment fits. */
const MISSING = 0.75;
const EXTRA = 1;
const PARAMETER = 0.01;
/** Without the name before it, a parameter would fit any path. */
const MISSING_BEFORE_PARAMETER = 2 * MISSING;
/** The highest cost of a near path: two segments left out, as in `/policies`. */
const MAX_COST = 2 * MISSING;

/**
 * Returns a function that finds the path of a route that is nearest to the path of a request, which is cut; undefined
 * where none is near. Segments are compared by their edit distance. Only routes that pass the filter count.
 */
export function nearestPathFinder<R extends Pick<Route, 'path'>>(routes: readonly R[]) {
  const byPath = Map.groupBy(
    routes.filter(({ path }) => path !== '/'),
    ({ path }) => path,
  );
  const all = [...byPath].map(([path, ofPath]) => ({ path, routes: ofPath, segments: segmentsOf(path) }));
  return (pathname: string, filter: (route: R) => boolean = () => true): string | undefined => {
    const templates = all.filter((template) => template.routes.some(filter));
    const segments = segmentsOf(pathname.slice(0, MAX_CHARACTERS).toLowerCase()).slice(0, MAX_SEGMENTS);
    const costs = new Map<string, number>();
    const costOf = (literal: string, segment: string): number => {
      if (literal.startsWith(':')) return PARAMETER;
      const key = `${literal}/${segment}`;
      const cost = costs.get(key) ?? nameDistance(literal, segment);
      costs.set(key, cost);
      return cost;
    };
    let [nearest, lowest]: [string | undefined, number] = [undefined, MAX_COST];
    for (const template of templates) {
      if (segments.length - template.segments.length > MAX_COST / EXTRA) continue;
      const cost = alignmentCost(template.segments, segments, costOf);
      if (cost < lowest || (nearest === undefined && cost === lowest)) [nearest, lowest] = [template.path, cost];
    }
    return nearest?.replace(/:(\w+)/g, '{$1}');
  };
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Returns the least cost at which the segments of a request become those of a template. */
function alignmentCost(
  template: readonly string[],
  segments: readonly string[],
  costOf: (literal: string, segment: string) => number,
): number {
  let row = Array.from({ length: segments.length + 1 }, (_, index) => index * EXTRA);
  for (const [place, literal] of template.entries()) {
    const missing = template[place + 1]?.startsWith(':') === true ? MISSING_BEFORE_PARAMETER : MISSING;
    const next = [(row[0] ?? 0) + missing];
    for (const [index, segment] of segments.entries()) {
      const replaced = (row[index] ?? 0) + costOf(literal, segment);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + missing, (next[index] ?? 0) + EXTRA));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

import type { Route } from './route.ts';

/** What is compared of a path, so that its cost has a limit. */
const MAX_CHARACTERS = 200;
const MAX_SEGMENTS = 8;
const MAX_EDITS = 3;

/** Costs of a segment that the request leaves out, of one too many, and of a parameter, which any segment fits. */
const MISSING = 0.75;
const EXTRA = 1;
const PARAMETER = 0.01;
/** The highest cost of a near path: two segments left out, as in `/policies`. */
const MAX_COST = 2 * MISSING;

/**
 * Returns a function that finds the path of a route that is nearest to the path of a request, which is cut; undefined where none is near.
 * Segments are compared by their edit distance.
 */
export function nearestPathFinder(routes: readonly Pick<Route, 'path'>[]): (pathname: string) => string | undefined {
  const paths = [...new Set(routes.map(({ path }) => path))].filter((path) => path !== '/');
  const templates = paths.map((path) => ({ path, segments: segmentsOf(path) }));
  return (pathname) => {
    const segments = segmentsOf(pathname.slice(0, MAX_CHARACTERS).toLowerCase()).slice(0, MAX_SEGMENTS);
    const costs = new Map<string, number>();
    const costOf = (literal: string, segment: string): number => {
      if (literal.startsWith(':')) return PARAMETER;
      const key = `${literal}/${segment}`;
      const cost = costs.get(key) ?? segmentCost(literal, segment);
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

/** Returns the part of the characters that differ; infinite for more than three, or more than half of them. */
function segmentCost(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  const most = Math.min(MAX_EDITS, longer / 2);
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  const distance = editDistance(a, b, most);
  return distance > most ? Number.POSITIVE_INFINITY : distance / longer;
}

/** Returns the Levenshtein distance, or a number above `most` as soon as it is known to be higher. */
function editDistance(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (a.codePointAt(i) === b.codePointAt(j) ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Returns the least cost at which the segments of a request become those of a template. */
function alignmentCost(
  template: readonly string[],
  segments: readonly string[],
  costOf: (literal: string, segment: string) => number,
): number {
  let row = Array.from({ length: segments.length + 1 }, (_, index) => index * EXTRA);
  for (const literal of template) {
    const next = [(row[0] ?? 0) + MISSING];
    for (const [index, segment] of segments.entries()) {
      const replaced = (row[index] ?? 0) + costOf(literal, segment);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + MISSING, (next[index] ?? 0) + EXTRA));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

import { Refusal } from '../domain/refusals.ts';
import type { Method, Route } from './route.ts';

/** The routes of one path, by method, and what its parameters are. */
export interface RouteMatch {
  readonly routes: ReadonlyMap<Method, Route>;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Place {
  readonly byName: Map<string, Place>;
  /** What comes here when no name fits. */
  anyName: Place | undefined;
  readonly routes: Map<Method, Route>;
  parameters: readonly string[];
}

const newPlace = (): Place => ({ byName: new Map(), anyName: undefined, routes: new Map(), parameters: [] });

/** Finds routes by path: names before parameters, with and without the trailing slash. */
export class RouteTable {
  readonly #root = newPlace();

  /** @throws {Error} when two routes have the same method and path */
  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  /** Undefined when there is no such path. @throws {Refusal} `invalid_request` when it is not well encoded */
  find(pathname: string): RouteMatch | undefined {
    if (!pathname.startsWith('/')) return undefined;
    const end = pathname.endsWith('/') ? pathname.length - 1 : pathname.length;
    const values: string[] = [];
    let place: Place | undefined = this.#root;
    for (let from = 1; from <= end && place !== undefined; ) {
      const slash = pathname.indexOf('/', from);
      const to: number = slash === -1 || slash > end ? end : slash;
      const name = pathname.slice(from, to);
      const named: Place | undefined = place.byName.get(name);
      if (named === undefined && name !== '') values.push(name);
      place = named ?? (name === '' ? undefined : place.anyName);
      from = to + 1;
    }
    if (place === undefined || place.routes.size === 0) return undefined;
    const parameters: Record<string, string> = {};
    place.parameters.forEach((parameter, index) => {
      parameters[parameter] = decoded(values[index] ?? '');
    });
    return { routes: place.routes, parameters };
  }

  #add(route: Route): void {
    const parameters: string[] = [];
    let place = this.#root;
    for (const segment of route.path.split('/').slice(1)) {
      if (segment.startsWith(':')) {
        parameters.push(segment.slice(1));
        place.anyName ??= newPlace();
        place = place.anyName;
      } else {
        const next = place.byName.get(segment) ?? newPlace();
        place.byName.set(segment, next);
        place = next;
      }
    }
    if (place.routes.has(route.method)) throw new Error(`${route.method} ${route.path} is there twice`);
    place.routes.set(route.method, route);
    place.parameters = parameters;
  }
}

/** The path of a route with the values of its parameters: the same however the client encoded it. */
export function filledPath(route: Pick<Route, 'path'>, parameters: Readonly<Record<string, string>>): string {
  return route.path.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? '');
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal('invalid_request', 'The path is not well percent-encoded');
  }
}

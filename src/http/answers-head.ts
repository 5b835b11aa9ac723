import type { Route } from './route.ts';

/** Whether HEAD asks the same as GET on this route. A GET that carries out a command is never run for its headers alone. */
export function answersHead({ method, kind }: Pick<Route, 'method' | 'kind'>): boolean {
  return method === 'GET' && kind !== 'command';
}

import type { AnyCommand } from '../../command-handling/command.ts';
import { COMMANDS } from '../../../commands/registry.ts';
import type { Route } from '../route.ts';
import { PAGES } from './operations/pages.ts';
import type { OperationPage } from './page.ts';
import { documentedPath, isOperation } from './paths.ts';

export interface Operation {
  readonly id: string;
  readonly route: Route;
  readonly path: string;
  readonly summary: string;
  readonly page: OperationPage | undefined;
  readonly key: string;
  readonly command?: AnyCommand;
}

/** Returns whether the operation takes `If-Match`. */
export function takesIfMatch({ route, command }: Pick<Operation, 'route' | 'command'>): boolean {
  return (command ?? route.reference).takesIfMatch === true;
}

/** Returns the operations of a route: none for assets and the redirect of `/`, one per command for the route of admin commands. */
export function operationsOf(route: Route): readonly Operation[] {
  if (!isOperation(route)) return [];
  if (!route.path.endsWith('/:command')) {
    const { name, summary } = route;
    return [{ id: name, key: name, route, path: documentedPath(route), summary, page: PAGES[name] }];
  }
  return COMMANDS.map((command) => ({
    id: `Admin${command.name}`,
    key: `admin/${command.name}`,
    route,
    path: route.path.replace(':command', command.name),
    summary: command.summary,
    page: PAGES[`admin/${command.name}`],
    command,
  }));
}

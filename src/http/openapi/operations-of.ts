import type { AnyCommand } from '../../command-handling/command.ts';
import { COMMANDS } from '../../../commands/registry.ts';
import type { Route } from '../route.ts';
import { PAGES } from './operations/pages.ts';
import type { OperationPage } from './page.ts';
import { documentedPath, isAsset } from './paths.ts';

/** One operation of the document. */
export interface Operation {
  readonly id: string;
  readonly route: Route;
  readonly path: string;
  readonly summary: string;
  readonly page: OperationPage | undefined;
  /** Of what this page and its example are known by. */
  readonly key: string;
  /** The command that the back office runs here. */
  readonly command?: AnyCommand;
}

/** What a route is documented as; assets of the pages are no operations, and the back office has one for every command. */
export function operationsOf(route: Route): readonly Operation[] {
  if (isAsset(route)) return [];
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

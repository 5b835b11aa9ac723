import express, { type Express } from 'express';
import { Refusal } from '../api/messages/problem-types.ts';
import { basePathOf } from '../api/messages/links.ts';
import { authenticatorOf } from '../api/middleware/authentication.ts';
import { beginRequest, type Middleware } from '../api/middleware/begin-request.ts';
import type { OutageLog } from '../api/middleware/outage-log.ts';
import { type IdentifiedRequest, identify } from '../api/session/identify.ts';
import { problemDetails } from '../api/middleware/problem-details.ts';
import { checkRequestLine } from '../api/middleware/request-line.ts';
import { responseSender, type SendOptions } from '../api/middleware/send-response.ts';
import { mountRoutes, requireDistinct } from './mount.ts';
import { nearestPathFinder } from './nearest-path.ts';
import type { Route, RouteContext } from './route.ts';

interface AppOptions extends Omit<SendOptions, 'log' | 'bodyMemory'> {
  readonly context: RouteContext;
  readonly routers: readonly (readonly Route[])[];
  readonly outages: OutageLog;
}

/** How many characters of an unknown path a refusal shows. */
const MAX_SHOWN_PATH = 200;

export function createApp({ context, routers, outages, ...options }: AppOptions): Express {
  const { log } = context;
  const send = responseSender({ ...options, log, bodyMemory: context.bodyMemory });
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  // Query strings are parsed strictly by `parseSearch`.
  app.set('query parser', false);
  app.set('trust proxy', context.trustProxy ?? false);
  app.use(beginRequest, checkRequestLine);
  const mountOptions = { context, authenticate: authenticatorOf(context), send };
  requireDistinct(routers.flat());
  for (const routes of routers) mountRoutes(app, routes, mountOptions);
  app.use(refusePath(routers.flat(), context));
  app.use(problemDetails({ log, outages, send, basePath: basePathOf(context.publicUrl) }));
  return app;
}

/** Refuses a path of no route, and names the nearest one that the request could call. */
function refusePath(routes: readonly Route[], context: RouteContext): Middleware {
  const findNearest = nearestPathFinder(routes);
  return async (request) => {
    const { path } = request;
    const shown = path.length > MAX_SHOWN_PATH ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path;
    const nearest = findNearest(path, await callableBy(request, context));
    const advice = nearest === undefined ? '' : `; the nearest one is ${nearest}`;
    throw new Refusal('route_not_found', `There is no path ${shown}${advice}`);
  };
}

/**
 * Returns whether the request could call a route if it named the path: by its method, and by the role of its key if
 * that is valid.
 */
async function callableBy(request: IdentifiedRequest, context: RouteContext): Promise<(route: Route) => boolean> {
  const asked = request.method === 'HEAD' ? 'GET' : request.method;
  const role = await identify(request, context).then(
    ({ reader }) => reader.role,
    () => undefined,
  );
  return ({ method, roles }) => method === asked && (role === undefined || roles === 'anyone' || roles.includes(role));
}

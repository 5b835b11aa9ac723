import express, { type NextFunction, type Request, type Response } from 'express';
import { Refusal } from '../domain/refusals.ts';
import { answersHead } from './answers-head.ts';
import { type Pipeline, splitUrl } from './middleware/pipeline.ts';
import type { Method, Route } from './route.ts';
import type { RouteTable } from './route-table.ts';

/** The methods that a path knows, as `Allow` tells them. */
function allowedMethods(routes: ReadonlyMap<Method, Route>): string {
  const known = [...routes].flatMap(([method, route]) => (answersHead(route) ? [method, 'HEAD'] : [method]));
  return [...known, 'OPTIONS'].join(', ');
}

/** The express application: everything but the reads that `server.ts` takes straight to the pipeline. */
export function createApp(table: RouteTable, pipeline: Pipeline): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request: Request, response: Response, next: NextFunction) => {
    const match = table.find(splitUrl(request.url).pathname);
    if (match === undefined) return next();
    const { method } = request;
    const route = match.routes.get((method === 'HEAD' ? 'GET' : method) as Method);
    if (route !== undefined && (method !== 'HEAD' || answersHead(route)))
      return void pipeline.run(route, match.parameters, request, response);
    const headers = { Allow: allowedMethods(match.routes) };
    if (method === 'OPTIONS') return pipeline.reply({ status: 204, headers, body: undefined }, request, response);
    const refusal = new Refusal('method_not_allowed', `This path knows ${headers.Allow}`);
    return pipeline.refuse(refusal, request, response, headers);
  });
  app.use((request: Request, response: Response) => {
    pipeline.refuse(new Refusal('route_not_found', 'There is no such path'), request, response);
  });
  // Express knows an error handler by its four parameters.
  app.use((thrown: unknown, request: Request, response: Response, _next: NextFunction) => {
    pipeline.refuse(thrown, request, response);
  });
  return app;
}

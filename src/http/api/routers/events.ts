import { listEvents } from '#queries/feed/list-events.ts';
import { queryRoute } from '../handlers/query-route.ts';
import { routesOf } from '../../server/route.ts';

export const eventRoutes = routesOf('Events', [queryRoute('/api/v1/events/', listEvents)]);

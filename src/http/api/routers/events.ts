import { listEvents } from '#queries/feed/list-events.ts';
import { queryRoute } from '../handlers/query-route.ts';

export const eventRoutes = [queryRoute('/api/v1/events', listEvents)];

import { pagesOf } from '../page.ts';

export const EVENT_PAGES = pagesOf('Events', {});

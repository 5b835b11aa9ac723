import { pagesOf } from '../page.ts';

export const BACK_OFFICE_PAGES = pagesOf('Back office', {
  RequestRebuild: {
    description: `Rebuilds read models from the whole log, beside the documents that are served, and then serves the new ones, all at once. Requests are answered from the old documents until then, and see no difference otherwise. Without
\`collections\` all are rebuilt. Poll the rebuild until its \`state\` is not \`running\`. \`superseded\`: all read models were built from the log after the request, for example because they were deleted.
\`refused\`: the log is damaged, or documents that are served would be parked, as \`reason\` says; the documents stay as they are. A verification names what is wrong with the log.`,
    request: { body: { collections: ['providers'] } },
    codes: ['rebuild_running'],
  },
});

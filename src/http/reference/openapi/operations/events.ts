import { pagesOf } from '../page.ts';

export const EVENT_PAGES = pagesOf('Events', {
  ListEvents: {
    description: `An HTTP feed ([http-feeds.org](https://www.http-feeds.org/)) of public events as CloudEvents 1.0 in structured mode, in the order of the log. A merchant's key sees the events of its merchant, policies and claims in its mode; platform keys see all of a mode, also those of insurers and products. [All types](/docs/public-events/).

Follow \`Link: rel="next"\`, which names the last event of the page in \`lastEventId\`: it is the cursor to keep. An empty page is the end for now: ask its link again, with \`timeout\` to wait for the next event. \`Surety-Position\` is the position up to which events are published, whatever the page holds: continue from it only after an empty page, or with \`?limit=1\` to start from now. An event is shown when all read models reflect it, so what it names can be read.

The response is \`application/cloudevents-batch+json\`, or \`application/json\` where \`Accept\` names it. At most 8 requests of a key wait at a time; a further one is answered at once, with \`Retry-After\`. At most 4 pages of a key are made at a time, and 12 more wait; a further request is 503 \`busy\`. A page may end before its \`limit\`, after 4 MiB. An event that this version of Surety cannot read ends the page before it, and is \`event_unreadable\` as the next one.`,
    request: { query: { subject: '{PurchasePolicy.policy_id}', limit: 2 } },
    codes: ['cursor_unknown', 'event_unreadable'],
  },
});

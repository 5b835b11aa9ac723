import { Command } from '../actions/command.tsx';
import { List } from '../components/list.tsx';
import { usePages } from '../requests/use-pages.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { administerTexts as more } from '../texts-administer.ts';

/** Documents of read models into which an event could not be folded. */
export function ParkedDocuments({ session }: { readonly session: Session }) {
  const pages = usePages('', (options) => session.client.admin.parkedDocuments({}, options));
  return (
    <List
      title={texts.parkedDocuments}
      pages={pages}
      emptyText={texts.nothingParked}
      filters={<span class="quiet">{texts.parkedHelp}</span>}
      columns={[
        { title: texts.collection, cell: ({ collection }) => collection },
        { title: texts.id, cell: ({ key }) => <code>{key}</code> },
        {
          title: texts.event,
          cell: ({ event_type, event_id }) => (
            <>
              {event_type} <code>{event_id}</code>
            </>
          ),
        },
        { title: texts.position, cell: ({ position }) => position, isNumber: true },
        {
          title: texts.reason,
          cell: ({ collection, key, reason }) => (
            <>
              <p>{reason}</p>
              <Command
                key={`${collection} ${key}`}
                session={session}
                name="RetryParked"
                about={`${collection}, ${key}`}
                given={{ collection, key }}
                notice={<p>{more.readAgain}</p>}
              />
            </>
          ),
        },
      ]}
    />
  );
}

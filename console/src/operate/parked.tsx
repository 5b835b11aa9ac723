import { List } from '../components/list.tsx';
import { usePages } from '../requests/use-pages.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

/** Documents of read models into which an event could not be folded. */
export function ParkedDocuments({ session: { client } }: { readonly session: Session }) {
  const pages = usePages('', (options) => client.admin.parkedDocuments({}, options));
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
        { title: texts.reason, cell: ({ reason }) => reason },
      ]}
    />
  );
}

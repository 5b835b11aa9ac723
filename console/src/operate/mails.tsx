import { chosenValue, SelectFilter } from '../components/filters.tsx';
import { List } from '../components/list.tsx';
import { Tag } from '../components/badge.tsx';
import { Instant } from '../components/values.tsx';
import { labelOf } from '../format.ts';
import { usePages } from '../requests/use-pages.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

const STATUSES = ['requested', 'waiting', 'sent', 'parked', 'dropped'] as const;

/** Mails, newest first. The reason is that of the last result. */
export function Mails({ session: { client } }: { readonly session: Session }) {
  const status = chosenValue('status', STATUSES);
  const pages = usePages(status ?? '', (options) => client.admin.mailJobs({ status }, options));
  return (
    <List
      title={texts.mails}
      pages={pages}
      emptyText={texts.noMails}
      filters={<SelectFilter label={texts.status} name="status" values={STATUSES} value={status ?? ''} />}
      columns={[
        { title: texts.requested, cell: ({ created_at }) => <Instant at={created_at} zone="UTC" /> },
        { title: texts.kind, cell: ({ kind }) => <Tag name={kind} /> },
        { title: texts.status, cell: (mail) => <Tag name={mail.status} /> },
        {
          title: texts.reason,
          cell: ({ reason, last_error }) =>
            [reason === null ? null : labelOf(reason), last_error].filter(Boolean).join(', ') || '–',
        },
        { title: texts.attempts, cell: ({ attempts }) => String(attempts), isNumber: true },
        { title: texts.nextAttempt, cell: ({ next_attempt_at }) => <Instant at={next_attempt_at} zone="UTC" /> },
        { title: texts.id, cell: ({ job_id }) => <code>{job_id}</code> },
      ]}
    />
  );
}

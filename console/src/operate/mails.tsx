import { Command } from '../actions/command.tsx';
import { chosenValue, SelectFilter } from '../components/filters.tsx';
import { List } from '../components/list.tsx';
import { Tag } from '../components/badge.tsx';
import { Instant } from '../components/values.tsx';
import { labelOf } from '../format.ts';
import { usePages } from '../requests/use-pages.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { administerTexts as more } from '../texts-administer.ts';

const STATUSES = ['requested', 'waiting', 'sent', 'parked', 'dropped'] as const;

/** Mails, newest first. The reason is that of the last result. */
export function Mails({ session }: { readonly session: Session }) {
  const { client } = session;
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
        {
          title: texts.status,
          cell: (mail) => (
            <div class="row">
              <Tag name={mail.status} />
              <Command
                key={mail.job_id}
                session={session}
                name="ResendMail"
                about={`${labelOf(mail.kind)}, ${mail.job_id}`}
                given={{ job_id: mail.job_id }}
                isAllowed={mail.status === 'parked'}
                notice={mail.reason === 'outcome_unknown' && <p>{more.mayArriveTwice}</p>}
              />
            </div>
          ),
        },
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

import { Command } from '../actions/command.tsx';
import { RequestTable } from '../components/request-table.tsx';
import { Tag } from '../components/badge.tsx';
import { Instant } from '../components/values.tsx';
import { useReloadEvery, useRequest } from '../requests/use-request.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { administerTexts as more } from '../texts-administer.ts';

const POLL_MS = 1_000;

/** Rebuilds of read models, watched while one runs. */
export function Rebuilds({ session }: { readonly session: Session }) {
  const state = useRequest('', async (options) => await session.client.admin.recentRebuilds(options));
  const isRunning = state.value?.some((rebuild) => rebuild.state === 'running') === true;
  useReloadEvery(state, POLL_MS, isRunning);
  return (
    <>
      <div class="row heading">
        <h1>{texts.rebuilds}</h1>
        <div class="row push">
          <Command
            session={session}
            name="RequestRebuild"
            about={texts.readModels}
            look="primary"
            notice={<p>{more.rebuildHelp}</p>}
          />
        </div>
      </div>
      <RequestTable
        state={state}
        isPolled={isRunning}
        caption={texts.rebuilds}
        emptyText={texts.noRebuilds}
        columns={[
          { title: texts.requested, cell: ({ requested_at }) => <Instant at={requested_at} zone="UTC" /> },
          { title: texts.status, cell: (rebuild) => <Tag name={rebuild.state} /> },
          {
            title: texts.progress,
            cell: ({ progress }) =>
              progress === null ? (
                '–'
              ) : (
                <progress
                  aria-label={texts.progress}
                  max={Math.max(1, Number(progress.head ?? 1))}
                  value={Number(progress.position ?? 0)}
                />
              ),
          },
          { title: texts.reason, cell: ({ reason }) => reason ?? '–' },
        ]}
      />
    </>
  );
}

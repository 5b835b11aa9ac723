import type { Verification } from '../../../clients/typescript/src/index.ts';
import { Card } from '../components/card.tsx';
import { useAction } from '../requests/use-action.ts';
import { useReloadEvery, useRequest } from '../requests/use-request.ts';
import { Failure, LoadStatus } from '../components/load-status.tsx';
import { RequestTable } from '../components/request-table.tsx';
import { Tag } from '../components/badge.tsx';
import { Fields, Instant, Json } from '../components/values.tsx';
import { hrefOf, navigate, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

const POLL_MS = 1_000;

/** Verifications: the last ones, and a new one. */
export function Verifications({ session: { client } }: { readonly session: Session }) {
  const recent = useRequest('recent', async (options) => await client.admin.recentVerifications(options));
  const isOneRunning = recent.value?.some(({ state }) => state === 'running') === true;
  useReloadEvery(recent, POLL_MS, isOneRunning);
  const { isBusy, error, run } = useAction();
  const start = async (): Promise<void> => {
    const { verification_id } = await client.admin.startVerification();
    // Not if another view was opened meanwhile.
    if (route.value.path[0] === 'verifications') navigate(['verifications', verification_id]);
  };
  return (
    <>
      <div class="row heading">
        <h1>{texts.verifications}</h1>
        <span class="push" />
        <button type="button" class="primary" disabled={isBusy} onClick={() => void run(start)}>
          {texts.startVerification}
        </button>
      </div>
      <p class="quiet">{texts.verificationHelp}</p>
      {error !== undefined && <Failure error={error} />}
      <RequestTable
        state={recent}
        isPolled={isOneRunning}
        caption={texts.verifications}
        emptyText={texts.noVerifications}
        columns={[
          {
            title: texts.requested,
            cell: ({ verification_id, requested_at }) => (
              <a href={hrefOf(['verifications', verification_id])}>
                <Instant at={requested_at} zone="UTC" />
              </a>
            ),
          },
          { title: texts.status, cell: ({ state }) => <Tag name={state} /> },
          { title: texts.findings, cell: ({ findings }) => findings ?? '–', isNumber: true },
        ]}
      />
    </>
  );
}

/** One verification, watched while it runs, with a report to print. */
export function OneVerification({ session: { client }, id }: { readonly session: Session; readonly id: string }) {
  const loaded = useRequest(id, async (options) => await client.admin.verification(id, options));
  const verification = loaded.value;
  const isRunning = verification?.state === 'running';
  useReloadEvery(loaded, POLL_MS, isRunning);
  return (
    <>
      <h1>{texts.verification}</h1>
      <LoadStatus state={loaded} isPolled={isRunning} />
      {verification !== undefined && <Report verification={verification} />}
    </>
  );
}

function Report({ verification }: { readonly verification: Verification }) {
  const { state, reason, requested_at, ended_at, progress, report } = verification;
  return (
    <>
      <Card>
        <Fields
          fields={{
            [texts.status]: <Tag name={state} />,
            [texts.requested]: <Instant at={requested_at} zone="UTC" />,
            [texts.endedAt]: <Instant at={ended_at} zone="UTC" />,
            [texts.reason]: reason,
          }}
        />
      </Card>
      {progress !== null && (
        <label>
          {texts.steps[progress.step]} <progress max={1} value={progress.share} /> {Math.round(progress.share * 100)} %
        </label>
      )}
      {report !== null && (
        <>
          <p class={isSound(report) ? 'notice' : 'failure'} role="status">
            {isSound(report) ? texts.sound : texts.faulty}
          </p>
          <Card>
            <Counts report={report} />
          </Card>
          {/* Open, so that it is printed. */}
          <details open>
            <summary>{texts.wholeReport}</summary>
            <Json value={report} />
          </details>
          <div class="row">
            <button type="button" onClick={() => print()}>
              {texts.print}
            </button>
          </div>
        </>
      )}
    </>
  );
}

type VerificationReport = NonNullable<Verification['report']>;

function Counts({ report: { log, read_models: models } }: { readonly report: VerificationReport }) {
  return (
    <Fields
      fields={{
        [texts.eventsRead]: String(log.events),
        [texts.faults]: String(log.faults),
        // After a fault of the log nothing is compared.
        ...(models !== null && {
          [texts.documentsCompared]: String(models.compared),
          [texts.differing]: String(models.differing + models.missing + models.surplus),
          [texts.parkedDocuments]: String(models.parked),
          [texts.contentsCompared]: String(models.contents.compared),
          [texts.contentsDiffering]: String(models.contents.differences.length),
        }),
      }}
    />
  );
}

function isSound({ log, read_models: models }: VerificationReport): boolean {
  if (log.faults > 0 || models === null) return false;
  return models.differing + models.missing + models.surplus + models.parked + models.contents.differences.length === 0;
}

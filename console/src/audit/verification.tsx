import { useState } from 'preact/hooks';
import type { Verification } from '../../../clients/typescript/src/index.ts';
import { useLoaded, useReloadEvery } from '../load.ts';
import { Failure, Status } from '../parts/failure.tsx';
import { Table } from '../parts/table.tsx';
import { Fields, Instant, Json, Tag } from '../parts/values.tsx';
import { go, hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

const WATCH_MS = 1_000;

/** Verifications: the last ones, and a new one. */
export function Verifications({ session: { client } }: { readonly session: Session }) {
  const recent = useLoaded('recent', async (options) => await client.admin.recentVerifications(options));
  const [error, setError] = useState<unknown>();
  const start = async (): Promise<void> => {
    const { verification_id } = await client.admin.startVerification();
    go(['verifications', verification_id]);
  };
  return (
    <>
      <h1>{texts.verifications}</h1>
      <p>{texts.verificationHelp}</p>
      <button type="button" onClick={() => void start().catch(setError)}>
        {texts.startVerification}
      </button>
      {error !== undefined && <Failure error={error} />}
      <Status loaded={recent} />
      {recent.value !== undefined && (
        <Table
          caption={texts.verifications}
          whyEmpty={texts.noVerifications}
          rows={recent.value}
          columns={[
            {
              title: texts.requested,
              of: ({ verification_id, requested_at }) => (
                <a href={hrefOf(['verifications', verification_id])}>
                  <Instant at={requested_at} zone="UTC" />
                </a>
              ),
            },
            { title: texts.status, of: ({ state }) => <Tag name={state} /> },
            { title: texts.findings, of: ({ findings }) => findings ?? '–', isNumber: true },
          ]}
        />
      )}
    </>
  );
}

/** One verification, watched while it runs, with a report to print. */
export function OneVerification({ session: { client }, id }: { readonly session: Session; readonly id: string }) {
  const loaded = useLoaded(id, async (options) => await client.admin.verification(id, options));
  const verification = loaded.value;
  const isRunning = verification?.state === 'running';
  useReloadEvery(loaded, WATCH_MS, isRunning);
  return (
    <>
      <h1>{texts.verification}</h1>
      {(verification === undefined || loaded.error !== undefined) && <Status loaded={loaded} />}
      {verification !== undefined && <Report verification={verification} />}
    </>
  );
}

function Report({ verification }: { readonly verification: Verification }) {
  const { state, reason, requested_at, ended_at, progress, report } = verification;
  const models = report?.read_models;
  return (
    <>
      <Fields
        fields={[
          [texts.status, <Tag key="s" name={state} />],
          [texts.requested, <Instant key="r" at={requested_at} zone="UTC" />],
          [texts.ended, <Instant key="e" at={ended_at} zone="UTC" />],
          [texts.reason, reason],
        ]}
      />
      {progress !== null && state === 'running' && (
        <label>
          {texts.steps[progress.step]} <progress max={1} value={progress.share} /> {Math.round(progress.share * 100)} %
        </label>
      )}
      {report !== null && (
        <>
          <p class={isSound(report) ? 'notice' : 'failure'} role="status">
            {isSound(report) ? texts.sound : texts.notSound}
          </p>
          <Fields
            fields={[
              [texts.eventsRead, String(report.log.events)],
              [texts.faults, String(report.log.faults)],
              [texts.documentsCompared, models === null || models === undefined ? null : String(models.compared)],
              [
                texts.differing,
                models === null || models === undefined
                  ? null
                  : String(models.differing + models.missing + models.surplus),
              ],
              [texts.parkedDocuments, models === null || models === undefined ? null : String(models.parked)],
            ]}
          />
          <details>
            <summary>{texts.wholeReport}</summary>
            <Json value={report} />
          </details>
          <button type="button" onClick={() => print()}>
            {texts.print}
          </button>
        </>
      )}
    </>
  );
}

function isSound({ log, read_models: models }: NonNullable<Verification['report']>): boolean {
  if (log.faults > 0 || models === null) return false;
  return models.differing + models.missing + models.surplus + models.parked + models.contents.differences.length === 0;
}

import type { z } from 'zod';
import type { Api } from '#client/api.ts';
import { Admin } from '#client/resources/admin.ts';
import { requestRebuild } from '#commands/rebuild/request-rebuild.ts';
import { rebuildResource, type rebuildSchema } from '#queries/rebuilds.ts';
import type { Settings } from '#service/config/config.ts';
import type { Application } from '#service/compose/application.ts';
import { ProgressBar } from './import/progress.ts';
import type { Logger } from '#service/observability/logging.ts';
import { runSystemCommand } from '#event-sourcing/executor/execute-command.ts';
import { parseOptions } from './arguments.ts';
import { escapeControls, EXIT, JSON_OPTION, printJson } from './outcome.ts';
import { SERVICE_OPTIONS, serviceOf, waitForEnd, withClient } from './service.ts';
import { requireCaughtUp, withTool } from './with-application.ts';

type Rebuild = z.infer<typeof rebuildSchema>;

interface Rebuilds {
  readonly request: () => Promise<string>;
  readonly read: (rebuildId: string) => Promise<Rebuild>;
}

const RETRY_FOR_MS = 30_000;

export const REBUILD_OPTIONS = { json: JSON_OPTION, ...SERVICE_OPTIONS } as const;

/** `surety rebuild`: builds the read models again beside the served ones and waits for the end. */
export async function runRebuild(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const values = parseOptions('surety rebuild', words, REBUILD_OPTIONS);
  const service = serviceOf(values, settings);
  const started = performance.now();
  const ended =
    service === undefined
      ? await withTool(settings, log, async (application) => await followRebuild(await localRebuilds(application)))
      : await withClient(service, settings, RETRY_FOR_MS, async (api) => await followRebuild(rebuildsOverHttp(api)));
  if (values.json) printJson(JSON.stringify(ended));
  else process.stdout.write(`${escapeControls(asText(ended, performance.now() - started))}\n`);
  return ended.state === 'completed' ? EXIT.done : EXIT.failed;
}

/** Waits for the end of a rebuild, or until it needs the log to be restored. */
async function followRebuild(rebuilds: Rebuilds): Promise<Rebuild> {
  const bar = new ProgressBar(process.stderr);
  const started = performance.now();
  const id = await rebuilds.request();
  const ended = await waitForEnd(
    async () => await rebuilds.read(id),
    ({ progress }) => {
      const [rows, head] = [Number(progress?.position ?? 0), Number(progress?.head ?? 0)];
      const seconds = (performance.now() - started) / 1_000;
      bar.show({ file: 'rebuild', rows, seconds, share: head === 0 ? 0 : rows / head, unit: 'positions' });
    },
  );
  bar.clear();
  return ended;
}

/**
 * Rebuilds in the data folder, or on servers by the leading projector.
 * @throws {OperatorError} when the read models are stalled
 */
async function localRebuilds(application: Application): Promise<Rebuilds> {
  const { commandPorts, eventStore, readModels } = application;
  const projector = await application.startProjector();
  await requireCaughtUp(application, projector);
  return {
    request: async () => String((await runSystemCommand(requestRebuild, {}, commandPorts)).result['rebuild_id']),
    read: async (rebuildId) =>
      await rebuildResource(rebuildId, { eventStore, readModels, rebuild: projector.status().rebuild }),
  };
}

function rebuildsOverHttp(api: Api): Rebuilds {
  const admin = new Admin(api);
  return {
    request: async () => (await admin.requestRebuild({})).rebuild_id,
    read: async (rebuildId) => await admin.rebuild(rebuildId),
  };
}

function asText({ state, reason }: Rebuild, milliseconds: number): string {
  if (state === 'completed') return `Rebuilt the read models in ${(milliseconds / 1_000).toFixed(1)} s.`;
  const verdict = state === 'refused' ? 'was refused' : 'is stalled, and goes on when the log is restored';
  return `The rebuild ${verdict}, and the documents stay as they are: ${reason}. surety verify says whether the log is damaged.`;
}

import type { z } from 'zod';
import type { Api } from '#client/api.ts';
import type { Body } from '#client/operation-types.ts';
import { Admin } from '#client/resources/admin.ts';
import { READ_MODEL_COLLECTIONS } from '#commands/shared/read-model-collections.ts';
import { requestRebuild } from '#commands/rebuild/request-rebuild.ts';
import { rebuildResource, type rebuildSchema } from '#queries/rebuilds.ts';
import { parseInput } from '#event-sourcing/executor/parse-input.ts';
import type { Settings } from '#service/config/config.ts';
import type { Application } from '#service/compose/application.ts';
import { Refusal } from '#domain/refusals.ts';
import { ProgressBar } from './import/progress.ts';
import type { Logger } from '#service/observability/logging.ts';
import { runSystemCommand } from '#event-sourcing/executor/execute-command.ts';
import { parseOptions } from './arguments.ts';
import { escapeControls, EXIT, JSON_OPTION, printJson, WrongUse } from './outcome.ts';
import { idOfJob, SERVICE_OPTIONS, serviceOf, waitForEnd, withClient } from './service.ts';
import { requireCaughtUp, withTool } from './with-application.ts';

type Rebuild = z.infer<typeof rebuildSchema>;
type RebuildRequest = Body<'/api/v1/admin/rebuilds'>;

interface Rebuilds {
  readonly request: (request: RebuildRequest) => Promise<string>;
  readonly read: (rebuildId: string) => Promise<Rebuild>;
}

const RETRY_FOR_MS = 30_000;

export const REBUILD_OPTIONS = {
  collections: {
    type: 'string',
    value: 'NAMES',
    expects: 'names of collections, separated by commas',
    help: `collections to rebuild, separated by commas, of: ${READ_MODEL_COLLECTIONS.join(', ')}. Default: all`,
  },
  json: JSON_OPTION,
  ...SERVICE_OPTIONS,
} as const;

/** `surety rebuild`: rebuilds read models beside the served ones and waits for the end. */
export async function runRebuild(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const values = parseOptions('surety rebuild', words, REBUILD_OPTIONS);
  const service = serviceOf(values, settings);
  const request = requestOf(values.collections);
  const ended =
    service === undefined
      ? await withTool(
          settings,
          log,
          async (application) => await followRebuild(await localRebuilds(application), request),
        )
      : await withClient(
          service,
          settings,
          RETRY_FOR_MS,
          async (api) => await followRebuild(rebuildsOverHttp(api), request),
        );
  if (values.json) printJson(JSON.stringify(ended));
  else process.stdout.write(`${escapeControls(asText(ended))}\n`);
  return ended.state === 'refused' ? EXIT.failed : EXIT.done;
}

/** @throws {WrongUse} when a collection is unknown */
function requestOf(collections: string | undefined): RebuildRequest {
  if (collections === undefined) return {};
  try {
    const names = collections.split(',').map((name) => name.trim());
    return parseInput(requestRebuild.input, { collections: names }) as RebuildRequest;
  } catch (error) {
    if (error instanceof Refusal) {
      const reasons = new Set(error.fields.map(({ message }) => message));
      throw new WrongUse(`--collections ${collections}: ${[...reasons].join('; ')}.`);
    }
    throw error;
  }
}

/**
 * Waits for the rebuild. The one that runs already may contain only some of the collections: then requests it again
 * after that.
 */
async function followRebuild(rebuilds: Rebuilds, requested: RebuildRequest): Promise<Rebuild> {
  const { collections: wanted = READ_MODEL_COLLECTIONS } = requested;
  const bar = new ProgressBar(process.stderr);
  const started = performance.now();
  for (;;) {
    const id = await rebuilds.request(requested);
    const ended = await waitForEnd(
      async () => await rebuilds.read(id),
      ({ progress }) => {
        const [rows, head] = [Number(progress?.position ?? 0), Number(progress?.head ?? 0)];
        const seconds = (performance.now() - started) / 1_000;
        bar.show({ file: 'rebuild', rows, seconds, share: head === 0 ? 0 : rows / head, unit: 'positions' });
      },
    );
    bar.clear();
    const isFinal = ended.state === 'superseded' || ended.state === 'refused';
    if (isFinal || wanted.every((name) => ended.collections.includes(name))) return ended;
  }
}

/**
 * Rebuilds in the data folder, or on servers by the leading projector.
 * @throws {OperatorError} when the read models are stalled
 */
async function localRebuilds(application: Application): Promise<Rebuilds> {
  const { commandPorts, eventStore } = application;
  const projector = await application.startProjector();
  await requireCaughtUp(application, projector);
  return {
    request: async (request) => {
      try {
        const { result } = await runSystemCommand(requestRebuild, request, commandPorts);
        return String(result['rebuild_id']);
      } catch (error) {
        if (error instanceof Refusal && error.code === 'rebuild_running') return String(error.members['rebuild_id']);
        throw error;
      }
    },
    read: async (rebuildId) => await rebuildResource(rebuildId, { eventStore, rebuild: projector.status().rebuild }),
  };
}

function rebuildsOverHttp(api: Api): Rebuilds {
  const admin = new Admin(api);
  return {
    request: async (request) =>
      await idOfJob(async () => await admin.requestRebuild(request), 'rebuild_id', 'rebuild_running'),
    read: async (rebuildId) => await admin.rebuild(rebuildId),
  };
}

function asText({ state, reason, collections, requested_at, ended_at }: Rebuild): string {
  const names = collections.join(', ');
  if (state === 'refused')
    return `The rebuild was refused, and the documents stay as they are: ${reason}. surety verify says whether the log is damaged.`;
  if (state === 'superseded') return `All read models were built from the log after the request, including ${names}.`;
  const seconds = (Date.parse(ended_at ?? requested_at) - Date.parse(requested_at)) / 1_000;
  return `Rebuilt ${names} in ${seconds.toFixed(1)} s.`;
}

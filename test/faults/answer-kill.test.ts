import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { decode } from '#domain/events.ts';
import { sequenceStream } from '#event-sourcing/system-events.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { type BodyEncoding, encodeBody } from '../support/encode-body.ts';
import type { Service } from '../support/service-process.ts';
import { useWorkspace } from '../support/workspace.ts';
import { type Operation, Preparation } from './operations.ts';
import { waitUntil } from '../support/wait-until.ts';

const program = fileURLToPath(new URL('holding-service.ts', import.meta.url));
const SECRET = 'secret-of-the-kill-tests-0123456789-abcdef';
const settings = {
  LOG_LEVEL: 'error',
  SURETY_SECRET: SECRET,
  SURETY_ADMIN_KEY: 'admin-key-of-the-kill-tests-0123456789',
};

const workspace = useWorkspace(program);
const serve = async (folder: string): Promise<Service> =>
  await workspace.startService({ settings: { ...settings, SURETY_DATA: folder } });

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

async function send(service: Service, operation: Operation, requestId: string, kind: BodyEncoding): Promise<Answer> {
  const { raw, headers } = await encodeBody(operation.body, kind);
  const response = await service.request(operation.path, {
    method: operation.method,
    body: raw ?? '',
    headers: { ...headers, 'x-api-key': operation.key, 'Idempotency-Key': operation.name, 'X-Request-Id': requestId },
  });
  const text = await response.text();
  return { status: response.status, text, replayed: response.headers.get('idempotent-replayed') === 'true' };
}

/** Removes what depends on time or on other processes, and secrets that are returned only once. */
function withoutVolatileParts(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:[\d:.]+Z?/g, 'MOMENT')
    .replace(/"position":"\d+"/, '"position":"POSITION"')
    .replace(/"(api_key|ticket)":(?:null|"[^"]*")/, '"$1":"ONCE"');
}

/** Number of appends by request id. */
function appendCountsOf({ process }: Service): ReadonlyMap<string, number> {
  const lines = [...process.stdout.matchAll(/^appended (\S+) (\d+) /gm)];
  return new Map(lines.map(([, requestId = '', count]) => [requestId, Number(count)]));
}

/** Types of the events by command id. */
async function eventTypesByCommand(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
  const events = (await eventStore.readAll({ after: undefined, limit: 1_000_000 })).map((raw) => decode(raw));
  await eventStore.close();
  const actualTypes = new Map<string, string[]>();
  for (const { type, metadata } of events) {
    const { id } = metadata.command;
    actualTypes.set(id, [...(actualTypes.get(id) ?? []), type]);
  }
  return new Map([...actualTypes].map(([id, types]) => [id, types.toSorted()]));
}

/** Returns the id of the command that a request names, and not those of the commands that finish its work. */
async function commandIdsByRequest(folder: string): Promise<ReadonlyMap<string, string>> {
  const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
  const events = await eventStore.readAll({ after: undefined, limit: 1_000_000 });
  await eventStore.close();
  return new Map(
    events.flatMap((raw) => {
      const { requestId = '', command } = decode(raw).metadata;
      return requestId.endsWith(`.${command.name}`) ? [[requestId, command.id] as const] : [];
    }),
  );
}

/** Returns the stream of the append that is not answered. */
async function waitUntilHeld({ process }: Service, requestId: string): Promise<string> {
  let stream: string | undefined;
  await waitUntil(() => {
    if (!process.isRunning) throw new Error(`the service ended: ${process.stderr}`);
    stream = process.stdout.split(`held ${requestId} `)[1]?.match(/^\d+ (\S+)\n/)?.[1];
    return stream !== undefined;
  });
  return stream ?? '';
}

describe('A process that is killed between an append and its response', () => {
  test('executes every POST and PUT once and returns to its retry what an undisturbed run does', async () => {
    const preparedFolder = join(workspace.base, 'prepared');
    const first = await serve(preparedFolder);
    const preparation = new Preparation(first, SECRET);
    const operations = await preparation.createOperations();
    expect((await first.process.stop()).code).toBe(0);
    await preparation.appendParkedMails(preparedFolder);

    // An undisturbed run for comparison.
    const referenceFolder = join(workspace.base, 'calm');
    cpSync(preparedFolder, referenceFolder, { recursive: true });
    const reference = await serve(referenceFolder);
    const expectedResponses = new Map<string, Answer>();
    for (const operation of operations) {
      const response = await send(reference, operation, operation.name, 'json');
      expect([operation.name, response.text, response.status < 300]).toEqual([operation.name, response.text, true]);
      expectedResponses.set(operation.name, response);
    }
    const appends = appendCountsOf(reference);
    await reference.process.stop();
    const ids = await commandIdsByRequest(referenceFolder);
    const expectedTypes = await eventTypesByCommand(referenceFolder);

    for (const place of ['last', 1, 2] as const) {
      const folder = join(workspace.base, `killed-${place}`);
      cpSync(preparedFolder, folder, { recursive: true });
      let killedService = await serve(folder);
      const operationsToHold = operations.filter(({ name }) => place === 'last' || (appends.get(name) ?? 0) > place);
      for (const operation of operationsToHold) {
        const requestId = `hold.${place === 'last' ? appends.get(operation.name) : place}.${operation.name}`;
        send(killedService, operation, requestId, 'json').catch(() => {});
        const stream = await waitUntilHeld(killedService, requestId);
        // The commands of a process share the appends to a sequence, so the next one would wait for this response.
        if (!stream.startsWith(sequenceStream(''))) continue;
        await killedService.process.kill();
        killedService = await serve(folder);
      }
      expect((await killedService.process.kill()).signal).toBe('SIGKILL');

      const restarted = await serve(folder);
      for (const operation of operationsToHold) {
        const { status, text } = expectedResponses.get(operation.name) as Answer;
        // In another encoding: the same content is the same request.
        const retry = await send(restarted, operation, 'retry', 'multipart');
        const context = [place, operation.name];
        expect([...context, retry.status, withoutVolatileParts(retry.text)]).toEqual([
          ...context,
          status,
          withoutVolatileParts(text),
        ]);
        if (place === 'last') expect([...context, retry.replayed]).toEqual([...context, true]);
        expect(await send(restarted, operation, 'retry', 'form')).toMatchObject({ status, replayed: true });
      }
      await restarted.process.stop();
      const actualTypes = await eventTypesByCommand(folder);
      for (const { name } of operationsToHold) {
        const id = ids.get(name) ?? '';
        expect([place, name, actualTypes.get(id)]).toEqual([place, name, expectedTypes.get(id)]);
      }
    }
  });
});

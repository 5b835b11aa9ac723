import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decode } from '../../src/domain/events.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { type BodyEncoding, encodeBody } from '../support/encode-body.ts';
import { cleanUp, readyService, type Service, SuretyProcess, temporaryFolder } from '../support/service-process.ts';
import { type Operation, Preparation } from './operations.ts';
import { waitUntil } from '../support/wait-until.ts';

const program = fileURLToPath(new URL('holding-service.ts', import.meta.url));
const SECRET = 'secret-of-the-kill-tests-0123456789-abcdef';
const settings = {
  LOG_LEVEL: 'error',
  SURETY_SECRET: SECRET,
  SURETY_ADMIN_KEY: 'admin-key-of-the-kill-tests-0123456789',
};

let base = '';
let started: SuretyProcess[] = [];

beforeEach(() => {
  base = temporaryFolder();
  started = [];
});

afterEach(async () => await cleanUp(base, started));

async function serve(folder: string): Promise<Service> {
  const options = { folder, settings, program };
  const process = new SuretyProcess(['serve'], options);
  started.push(process);
  return await readyService(process, options);
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

async function send(service: Service, operation: Operation, requestId: string, kind: BodyEncoding): Promise<Answered> {
  const { raw, headers } = await encodeBody(operation.body, kind);
  const answer = await service.request(operation.path, {
    method: 'POST',
    body: raw ?? '',
    headers: { ...headers, 'x-api-key': operation.key, 'Idempotency-Key': operation.name, 'X-Request-Id': requestId },
  });
  const text = await answer.text();
  return { status: answer.status, text, replayed: answer.headers.get('idempotent-replayed') === 'true' };
}

/** Removes what depends on time or on other processes, and secrets that are returned only once. */
function lasting(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:[\d:.]+Z?/g, 'MOMENT')
    .replace(/"position":"\d+"/, '"position":"POSITION"')
    .replace(/"api_key":(?:null|"[^"]*")/, '"api_key":"ONCE"');
}

/** Number of appends by request id. */
function appendsOf({ process }: Service): ReadonlyMap<string, number> {
  const lines = [...process.stdout.matchAll(/^appended (\S+) (\d+)$/gm)];
  return new Map(lines.map(([, requestId = '', count]) => [requestId, Number(count)]));
}

/** Types of the events by command id. */
async function effectsOf(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
  const events = (await eventStore.readAll({ after: undefined, limit: 1_000_000 })).map((raw) => decode(raw));
  await eventStore.close();
  const effects = new Map<string, string[]>();
  for (const { type, metadata } of events) {
    const { id } = metadata.command;
    effects.set(id, [...(effects.get(id) ?? []), type]);
  }
  return new Map([...effects].map(([id, types]) => [id, types.toSorted()]));
}

/** Returns the id of the command that a request executed. */
async function commandIds(folder: string): Promise<ReadonlyMap<string, string>> {
  const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
  const events = await eventStore.readAll({ after: undefined, limit: 1_000_000 });
  await eventStore.close();
  return new Map(
    events.map((raw) => {
      const { requestId = '', command } = decode(raw).metadata;
      return [requestId, command.id];
    }),
  );
}

async function untilHeld({ process }: Service, requestId: string): Promise<void> {
  await waitUntil(() => {
    if (!process.isRunning) throw new Error(`the service ended: ${process.stderr}`);
    return process.stdout.includes(`held ${requestId} `);
  });
}

describe('A process that is killed between an append and its response', () => {
  test('executes every POST once and answers its retry as an undisturbed run does', async () => {
    const prepared = join(base, 'prepared');
    const first = await serve(prepared);
    const preparation = new Preparation(first, SECRET);
    const operations = await preparation.operations();
    expect((await first.process.stop()).code).toBe(0);
    await preparation.finish(prepared);

    // An undisturbed run for comparison.
    const calm = join(base, 'calm');
    cpSync(prepared, calm, { recursive: true });
    const undisturbed = await serve(calm);
    const right = new Map<string, Answered>();
    for (const operation of operations) {
      const answer = await send(undisturbed, operation, operation.name, 'json');
      expect([operation.name, answer.text, answer.status < 300]).toEqual([operation.name, answer.text, true]);
      right.set(operation.name, answer);
    }
    const appends = appendsOf(undisturbed);
    await undisturbed.process.stop();
    const ids = await commandIds(calm);
    const wanted = await effectsOf(calm);

    for (const place of ['last', 1, 2] as const) {
      const folder = join(base, `killed-${place}`);
      cpSync(prepared, folder, { recursive: true });
      const dying = await serve(folder);
      const held = operations.filter(({ name }) => place === 'last' || (appends.get(name) ?? 0) > place);
      for (const operation of held) {
        const requestId = `hold.${place === 'last' ? appends.get(operation.name) : place}.${operation.name}`;
        send(dying, operation, requestId, 'json').catch(() => {});
        await untilHeld(dying, requestId);
      }
      expect((await dying.process.kill()).signal).toBe('SIGKILL');

      const again = await serve(folder);
      for (const operation of held) {
        const { status, text } = right.get(operation.name) as Answered;
        // In another encoding: the same content is the same request.
        const retried = await send(again, operation, 'retry', 'multipart');
        const context = [place, operation.name];
        expect([...context, retried.status, lasting(retried.text)]).toEqual([...context, status, lasting(text)]);
        if (place === 'last') expect([...context, retried.replayed]).toEqual([...context, true]);
        expect(await send(again, operation, 'retry', 'form')).toMatchObject({ status, replayed: true });
      }
      await again.process.stop();
      const effects = await effectsOf(folder);
      for (const { name } of held) {
        const id = ids.get(name) ?? '';
        expect([place, name, effects.get(id)]).toEqual([place, name, wanted.get(id)]);
      }
    }
  });
});

import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PublicMessage } from '#stores/messaging/messaging.ts';
import type { ProcessParts, StartProcess } from '#processes/runtime/process.ts';
import { TRANSLATOR } from '../support/translator.ts';
import { declarePublicEventMetrics } from '#processes/relay/metrics.ts';
import { publicEventsCheckpoint, startPublicEventRelay } from '#processes/relay/relay.ts';
import { withSpanOfBatch } from '#service/observability/traces.ts';
import { createMerchant, type MerchantFixture } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const exporter = new InMemorySpanExporter();
const published: PublicMessage[] = [];
/** Part of an SDK that throws while `fails` is true. */
const broken = {
  fails: false,
  onStart: () => broken.onEnd(),
  onEnd: () => {
    if (broken.fails) throw new Error('the exporter is broken');
  },
  forceFlush: async () => await Promise.resolve(),
  shutdown: async () => await Promise.resolve(),
};
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const REMOTE_SPAN = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${REMOTE_SPAN}-01`;

let service: ApiService;
let acme: MerchantFixture;

beforeAll(async () => {
  service = await startApiService({ processes: [{ name: 'public_events', prepare: prepareRelay }] });
  acme = await createMerchant(service, 'Acme');
  // An SDK may be registered after the start.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter), broken] }),
  );
});

afterAll(async () => {
  trace.disable();
  propagation.disable();
  context.disable();
  await service.stop();
});

async function prepareRelay(parts: ProcessParts): Promise<StartProcess> {
  const { commandPorts, metrics, log, pause } = parts;
  const { eventStore, records, now } = commandPorts;
  const checkpoint = publicEventsCheckpoint(records);
  await checkpoint.save(undefined);
  const relayMetrics = declarePublicEventMetrics(metrics, eventStore);
  const publicEvents = { publish: async (messages: readonly PublicMessage[]) => void published.push(...messages) };
  const options = { eventStore, checkpoint, publicEvents, translator: TRANSLATOR, relayMetrics, log, pause, now };
  return () => startPublicEventRelay(options);
}

const finishedSpans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();

/** Waits for the span with this name in the trace to end and returns it. */
async function waitForSpan(traceId: string, name: string): Promise<ReadableSpan> {
  const matches = (span: ReadableSpan): boolean => span.name === name && span.spanContext().traceId === traceId;
  await waitUntil(
    () => finishedSpans().some(matches),
    () => finishedSpans().map((span) => `${span.name} ${span.spanContext().traceId}`),
    10_000,
  );
  const [span, ...others] = finishedSpans().filter(matches);
  expect(others).toEqual([]);
  return span as ReadableSpan;
}

const parentIdOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan): string => span.spanContext().spanId;

const cancel = async (headers: Readonly<Record<string, string>>) =>
  await service.send('POST', '/api/v1/policies/cancel', {
    key: acme.live.key,
    headers,
    body: { policy_id: acme.live.policyId, cancellation_reason: 'sold to Somebody Private' },
  });

describe('A registered OpenTelemetry SDK', () => {
  test("gets spans of request, command, append, projection and publication in the request's trace", async () => {
    expect((await cancel({ traceparent })).status).toBe(200);
    const request = await waitForSpan(TRACE, 'POST /api/v1/policies/cancel');
    expect([request.kind, parentIdOf(request)]).toEqual([SpanKind.SERVER, REMOTE_SPAN]);
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/policies/cancel',
      'http.response.status_code': 200,
    });
    const command = await waitForSpan(TRACE, 'command CancelPolicy');
    expect(parentIdOf(command)).toBe(idOf(request));
    const append = await waitForSpan(TRACE, 'append');
    expect(parentIdOf(append)).toBe(idOf(command));
    const stream = `policy-${acme.live.policyId}`;
    expect(append.attributes).toEqual({ 'surety.stream': stream, 'surety.events': 1 });
    // Subscribers of the log continue the trace of the event.
    for (const name of ['project', 'publish']) expect(parentIdOf(await waitForSpan(TRACE, name))).toBe(REMOTE_SPAN);
    expect(published.at(-1)?.headers).toMatchObject({ traceparent });
    const [event] = (await service.eventStore.readStream(stream)).slice(-1);
    expect(event?.metadata).toMatchObject({ traceparent });
    const spanTexts = JSON.stringify(finishedSpans().map(({ name, attributes, status }) => [name, attributes, status]));
    expect(spanTexts).not.toContain('Private');
  });

  test('has its trace in the log lines of the request, and only there', async () => {
    await cancel({ traceparent, 'X-Request-Id': 'traced' });
    await service.send('GET', '/nowhere', { headers: { 'X-Request-Id': 'untraced' } });
    const traceOf = (requestId: string): unknown =>
      service.logged.map((line) => JSON.parse(line)).find((line) => line.request_id === requestId)?.trace_id;
    expect([traceOf('traced'), traceOf('untraced')]).toEqual([TRACE, undefined]);
  });

  test('gets the refusal in the command span, and no failed span', async () => {
    const traceId = '1'.repeat(32);
    expect((await cancel({ traceparent: `00-${traceId}-${REMOTE_SPAN}-01` })).status).toBe(409);
    const command = await waitForSpan(traceId, 'command CancelPolicy');
    expect([command.attributes['error.type'], command.status.code]).toEqual([
      'policy_already_cancelled',
      SpanStatusCode.UNSET,
    ]);
    const request = await waitForSpan(traceId, 'POST /api/v1/policies/cancel');
    expect([request.attributes['http.response.status_code'], request.status.code]).toEqual([409, SpanStatusCode.UNSET]);
  });

  test('gets a new trace for a request without one', async () => {
    const before = finishedSpans().length;
    await service.send('GET', '/api/v1/merchants', { key: ADMIN_KEY });
    await waitUntil(() => finishedSpans().length > before);
    const [request] = finishedSpans().slice(before);
    expect([request?.name, request && parentIdOf(request)]).toEqual(['GET /api/v1/merchants', undefined]);
  });

  test('does not affect responses when it throws', async () => {
    broken.fails = true;
    expect((await cancel({})).status).toBe(409);
    expect((await service.send('GET', '/api/v1/merchants', { key: ADMIN_KEY })).status).toBe(200);
    broken.fails = false;
  });

  test('gets batch spans with links to each trace, and only the name of an error', async () => {
    const traces = ['2', '3'].map((digit) => ({ traceparent: `00-${digit.repeat(32)}-${REMOTE_SPAN}-01` }));
    const work = async (): Promise<void> => await Promise.reject(new TypeError('Somebody Private'));
    await expect(withSpanOfBatch('batch', [...traces, ...traces, null, {}], {}, work)).rejects.toThrow(TypeError);
    const span = finishedSpans().findLast(({ name }) => name === 'batch');
    expect([span && parentIdOf(span), span?.links.map((link) => link.context.traceId[0])]).toEqual([
      undefined,
      ['2', '3'],
    ]);
    expect([span?.status, span?.attributes, span?.events]).toEqual([
      { code: SpanStatusCode.ERROR },
      { 'error.type': 'TypeError' },
      [],
    ]);
  });
});

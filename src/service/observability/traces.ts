import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isTemporary, Refusal } from '#domain/refusals.ts';

/**
 * Tracer of the OpenTelemetry API. Without a registered SDK a span has no effect and takes less than a microsecond.
 * Spans contain ids and numbers, but no input, query string or error message.
 */
const tracer = trace.getTracer('surety');

interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  readonly parent?: Context;
}

/** Returns the id of the active trace for log lines; nothing outside of a trace. */
export function activeTrace(): { readonly trace_id?: string } {
  const span = ignoreErrors(() => trace.getSpanContext(context.active()));
  return span === undefined || !isSpanContextValid(span) ? {} : { trace_id: span.traceId };
}

/** Runs the work in a span. An error marks the span as failed, except a refusal that is not temporary. */
export async function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const { parent = context.active() } = options;
  const span = startSpan(name, options, parent);
  if (span === undefined) return await work(NO_SPAN);
  return await context.with(trace.setSpan(parent, span), async () => {
    try {
      return await work(span);
    } catch (error) {
      const isRefusal = error instanceof Refusal;
      const type = isRefusal ? error.code : error instanceof Error ? error.name : 'unknown';
      ignoreErrors(() => span.setAttribute('error.type', type));
      if (!isRefusal || isTemporary(error)) ignoreErrors(() => span.setStatus({ code: SpanStatusCode.ERROR }));
      throw error;
    } finally {
      ignoreErrors(() => span.end());
    }
  });
}

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Starts a span; undefined without an SDK. */
function startSpan(name: string, options: SpanOptions, parent: Context): Span | undefined {
  const span = ignoreErrors(() => tracer.startSpan(name, options, parent));
  return span?.spanContext() === INVALID_SPAN_CONTEXT ? undefined : span;
}

/** Calls the SDK and ignores its errors, which must not fail a request. */
function ignoreErrors<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/**
 * Runs the work in the span of a request, which ends when the response is closed. Its parent is the active span, if the
 * SDK has started one for the connection, else the trace context of the headers.
 */
export function inRequestSpan<T>(
  { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  response: ServerResponse,
  route: string,
  work: () => T,
): T {
  const active = context.active();
  const parent =
    trace.getSpan(active) === undefined ? (ignoreErrors(() => propagation.extract(active, headers)) ?? active) : active;
  const attributes = { 'http.request.method': method, 'http.route': route };
  const span = startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
  if (span === undefined) return work();
  response.once('close', () => {
    ignoreErrors(() => {
      if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode);
      if (response.headersSent && response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    });
    ignoreErrors(() => span.end());
  });
  return context.with(trace.setSpan(parent, span), work);
}

/** Metadata of an event or headers of a message, with a trace context. */
export interface Traced {
  readonly traceparent?: unknown;
}

/**
 * Runs the work on a batch in a span, which is part of the trace if all items are of one trace, else is linked to each
 * trace.
 */
export async function withSpanOfBatch<T>(
  name: string,
  batch: readonly (Traced | null | undefined)[],
  options: Omit<SpanOptions, 'parent'>,
  work: () => Promise<T>,
): Promise<T> {
  const traceparents = new Set(batch.map((one) => one?.traceparent));
  const origins = [...traceparents].flatMap((traceparent) => spanContextOf(traceparent) ?? []);
  const [origin] = origins;
  const parent =
    origin !== undefined && traceparents.size === 1 ? trace.setSpanContext(ROOT_CONTEXT, origin) : undefined;
  return await withSpan(name, { ...options, parent: parent ?? ROOT_CONTEXT }, async (span) => {
    if (parent === undefined) ignoreErrors(() => origins.forEach((one) => span.addLink({ context: one })));
    return await work();
  });
}

function spanContextOf(traceparent: unknown): SpanContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  return ignoreErrors(() => trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent })));
}

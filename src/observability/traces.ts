import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { Refusal } from '../domain/refusals.ts';

/**
 * Spans by the API of OpenTelemetry. Without an SDK a span costs less than a microsecond and goes nowhere; an SDK that is registered in the
 * process, before or after the start, receives it. Spans carry ids and numbers, and no input, query string or message of an error.
 */
const tracer = trace.getTracer('surety');

interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** The active span when absent. */
  readonly parent?: Context;
}

/** Runs the work in a span. An error ends the span as failed, by its name; a refusal is a failure only if it is temporary. */
export async function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const { parent = context.active(), ...own } = options;
  const span = startSpan(name, own, parent);
  if (span === undefined) return await work(NO_SPAN);
  return await context.with(trace.setSpan(parent, span), async () => {
    try {
      return await work(span);
    } catch (error) {
      const isRefusal = error instanceof Refusal;
      const type = isRefusal ? error.code : error instanceof Error ? error.name : 'unknown';
      quietly(() => span.setAttribute('error.type', type));
      if (!isRefusal || error.isTemporary) quietly(() => span.setStatus({ code: SpanStatusCode.ERROR }));
      throw error;
    } finally {
      quietly(() => span.end());
    }
  });
}

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Starts a span; undefined without an SDK. */
function startSpan(name: string, options: SpanOptions, parent: Context): Span | undefined {
  const span = quietly(() => tracer.startSpan(name, options, parent));
  return span?.spanContext() === INVALID_SPAN_CONTEXT ? undefined : span;
}

/** Calls into the SDK of the operator, whose errors must not become those of a request. */
function quietly<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** What is known of a request when its span begins. */
interface TracedRequest {
  readonly method: string;
  /** Path of the route with the names of its parameters. */
  readonly route: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Runs the work in the span of a request, whose parent is the active span, where the SDK has made one for the connection, else the trace
 * context of the headers. Returns the function that ends the span with the status of the answer, undefined where there was none. Without an SDK
 * there is no span, and nothing to end.
 */
export function runInRequestSpan(
  { method, route, headers }: TracedRequest,
  work: () => void,
): ((status: number | undefined) => void) | undefined {
  const active = context.active();
  const parent =
    trace.getSpan(active) === undefined ? (quietly(() => propagation.extract(active, headers)) ?? active) : active;
  const attributes = { 'http.request.method': method, 'http.route': route };
  const span = startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
  if (span === undefined) {
    work();
    return undefined;
  }
  context.with(trace.setSpan(parent, span), work);
  return (status) => {
    quietly(() => {
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    });
    quietly(() => span.end());
  };
}

/** Something that was recorded in a trace: a stored event by its metadata, a message by its headers. */
export interface Traced {
  readonly traceparent?: unknown;
}

/**
 * Runs the work on a batch in a span. Where the whole batch comes from one trace, the span belongs to that trace; else
 * the span is linked to each of its traces.
 */
export async function withSpanOfBatch<T>(
  name: string,
  batch: readonly (Traced | null | undefined)[],
  options: Omit<SpanOptions, 'parent'>,
  work: () => Promise<T>,
): Promise<T> {
  const traceparents = new Set(batch.map((one) => one?.traceparent));
  const origins = [...traceparents].flatMap((traceparent) => originOf(traceparent) ?? []);
  const [origin] = origins;
  const parent =
    origin !== undefined && traceparents.size === 1 ? trace.setSpanContext(ROOT_CONTEXT, origin) : undefined;
  return await withSpan(name, { ...options, parent: parent ?? ROOT_CONTEXT }, async (span) => {
    if (parent === undefined) quietly(() => origins.forEach((one) => span.addLink({ context: one })));
    return await work();
  });
}

function originOf(traceparent: unknown): SpanContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  return quietly(() => trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent })));
}

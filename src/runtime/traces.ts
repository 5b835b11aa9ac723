import {
  type Attributes,
  type Context,
  context,
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

/** Runs the work in a span. An error ends the span as failed, by its name; a refusal of the client's request is no failure. */
export async function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const { parent = context.active(), ...own } = options;
  return await tracer.startActiveSpan(name, own, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const isRefusal = error instanceof Refusal;
      span.setAttribute('error.type', isRefusal ? error.code : error instanceof Error ? error.name : 'unknown');
      if (!isRefusal || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** What is known of a request when its span begins. */
interface TracedRequest {
  readonly method: string;
  /** Path of the route with the names of its parameters. */
  readonly route: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Runs the work in the span of a request. Its parent is the active span, where the SDK has made one for the connection, else the trace
 * context of the headers.
 * @param statusOf status of the answer, once the work is done; undefined when there is none
 */
export async function withRequestSpan(
  request: TracedRequest,
  work: () => Promise<void>,
  statusOf: () => number | undefined,
): Promise<void> {
  const { method, route, headers } = request;
  const active = context.active();
  const parent = trace.getSpan(active) === undefined ? propagation.extract(active, headers) : active;
  const attributes = { 'http.request.method': method, 'http.route': route };
  await withSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes, parent }, async (span) => {
    await work();
    const status = statusOf();
    if (status === undefined) return;
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  });
}

/** Something that was recorded in a trace: a stored event by its metadata, a message by its headers. */
export interface Traced {
  readonly traceparent?: unknown;
}

/**
 * Runs the work on a batch in a span. Where the whole batch comes from one trace, the span belongs to that trace; where it comes from
 * several, the span is linked to each.
 */
export async function withSpanOfBatch<T>(
  name: string,
  batch: readonly (Traced | null | undefined)[],
  options: Omit<SpanOptions, 'parent'>,
  work: () => Promise<T>,
): Promise<T> {
  const origins = originsOf(batch);
  const [only, ...others] = origins;
  const parent = only !== undefined && others.length === 0 ? trace.setSpanContext(ROOT_CONTEXT, only) : ROOT_CONTEXT;
  return await withSpan(name, { ...options, parent }, async (span) => {
    if (others.length > 0) for (const origin of origins) span.addLink({ context: origin });
    return await work();
  });
}

/** The trace contexts of a batch, each once. */
function originsOf(batch: readonly (Traced | null | undefined)[]): readonly SpanContext[] {
  const traceparents = new Set(batch.map((one) => one?.traceparent));
  return [...traceparents].flatMap((traceparent) => {
    if (typeof traceparent !== 'string') return [];
    const origin = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
    return origin === undefined ? [] : [origin];
  });
}

import { SpanKind } from '@opentelemetry/api';
import { UnreadableEvent } from '#event-sourcing/codec.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { PublicEvents, PublicMessage } from '#stores/messaging/messaging.ts';
import type { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { Records } from '#stores/records/records.ts';
import { withSpanOfBatch } from '#service/observability/traces.ts';
import { Checkpoint } from '../runtime/checkpoint.ts';
import { type BatchResult, runSubscription, type SubscriptionOptions } from '../runtime/subscription.ts';
import type { RunningProcess } from '../runtime/process.ts';
import type { PublicEventMetrics } from './metrics.ts';
import type { Translator } from '#public-events/translate.ts';

export function publicEventsCheckpoint(records: Pick<Records, 'getValue' | 'getRevised' | 'replaceValue'>): Checkpoint {
  return new Checkpoint('public-events', records);
}

interface PublicEventRelayParts
  extends Pick<SubscriptionOptions, 'eventStore' | 'checkpoint' | 'log' | 'pause' | 'stalls' | 'now'> {
  readonly publicEvents: Pick<PublicEvents, 'publish'>;
  readonly relayMetrics: PublicEventMetrics;
  readonly translator: Translator;
  readonly topicSetUp?: TopicSetUp | undefined;
}

export interface TopicSetUp {
  /** Why the topics were not set up at the start and are still to be. */
  failure: StoreUnavailable | undefined;
}

/**
 * Subscribes to the log and publishes the public events. A batch is sent after the previous one was acknowledged, so
 * also after a kill every public event is in its topic at least once, and the first occurrences of each key are in the
 * order of the log, without a gap.
 */
export function startPublicEventRelay(parts: PublicEventRelayParts): RunningProcess {
  const { publicEvents, relayMetrics, translator, log, topicSetUp } = parts;
  const messagesOf = (event: StoredEvent): readonly PublicMessage[] => {
    try {
      const message = translator.messageOf(event);
      return message === undefined ? [] : [message];
    } catch (error) {
      // Skipping it would leave an unnoticed gap. A version that knows the event continues here.
      if (error instanceof UnreadableEvent) {
        log.error(
          {
            event_id: event.id,
            event_type: event.type,
            stream: event.stream,
            revision: event.revision,
            position: event.position.toString(),
          },
          'An event cannot be decoded, so public events are not sent from this position on',
        );
      }
      throw error;
    }
  };
  const publish = async (messages: readonly PublicMessage[]): Promise<void> => {
    const options = { kind: SpanKind.PRODUCER, attributes: { 'messaging.batch.message_count': messages.length } };
    const headers = messages.map((message) => message.headers);
    await withSpanOfBatch('publish', headers, options, async () => await publicEvents.publish(messages));
  };
  const handle = async (events: readonly StoredEvent[]): Promise<BatchResult> => {
    // The checkpoint must not move before: missing topics are created only while it is at its start.
    if (topicSetUp?.failure !== undefined) throw topicSetUp.failure;
    const messages: PublicMessage[] = [];
    let last: StoredEvent | undefined;
    let failure: Error | undefined;
    for (const event of events) {
      try {
        messages.push(...messagesOf(event));
        last = event;
      } catch (error) {
        failure = error as Error;
        break;
      }
    }
    if (messages.length > 0) await publish(messages);
    return { last, sent: messages.length, failure };
  };
  return runSubscription({ ...parts, name: 'public_events', handle, onProgress: relayMetrics.recordProgress });
}

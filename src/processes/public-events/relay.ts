import { SpanKind } from '@opentelemetry/api';
import { UnreadableEvent } from '../../event-sourcing/codec.ts';
import type { StoredEvent } from '../../event-store/event-store.ts';
import type { PublicEvents, PublicMessage } from '../../messaging/public-events.ts';
import type { Records } from '../../records/records.ts';
import { withSpanOfBatch } from '../../observability/traces.ts';
import { Checkpoint } from '../checkpoint.ts';
import { type SubscriptionOptions, runSubscription, type Taken } from '../subscription.ts';
import type { RunningProcess } from '../process.ts';
import type { PublicEventMetrics } from './metrics.ts';
import { messageOf } from './translate.ts';

/** Names the checkpoint, so it never changes. */
const PROCESS = 'public-events';

/** The checkpoint of the relay of public events; `under` a fence where several take turns. */
export function publicEventsCheckpoint(records: Pick<Records, 'getValue' | 'setValue' | 'fenceValue'>): Checkpoint {
  return new Checkpoint(PROCESS, records);
}

export interface PublicEventRelayParts
  extends Pick<SubscriptionOptions, 'eventStore' | 'checkpoint' | 'log' | 'pause' | 'stalls' | 'now'> {
  readonly publicEvents: Pick<PublicEvents, 'publish'>;
  readonly figures: PublicEventMetrics;
}

/**
 * Follows the log and publishes what outsiders need to know. A batch is sent when the one before was acknowledged, so whoever is
 * killed when: every public event is in its topic at least once, and the first occurrences of a key are in the order of the log,
 * without a gap (docs/decisions/0012).
 */
export function startPublicEventRelay(parts: PublicEventRelayParts): RunningProcess {
  const { eventStore, checkpoint, publicEvents, figures, log, pause, stalls, now } = parts;
  const messagesOf = (event: StoredEvent): readonly PublicMessage[] => {
    try {
      const message = messageOf(event);
      return message === undefined ? [] : [message];
    } catch (error) {
      // Going on would leave a gap that nobody sees. A program that knows the event goes on here.
      if (error instanceof UnreadableEvent) {
        log.error(
          {
            event_id: event.id,
            event_type: event.type,
            stream: event.stream,
            revision: event.revision,
            position: event.position.toString(),
          },
          'An event cannot be read, so it is not known what to tell of it',
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
  /** Everything before an event that cannot be read is told. */
  const take = async (events: readonly StoredEvent[]): Promise<Taken> => {
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
  return runSubscription({
    name: 'public_events',
    eventStore,
    checkpoint,
    log,
    pause,
    stalls,
    now,
    take,
    onDone: figures.told,
  });
}

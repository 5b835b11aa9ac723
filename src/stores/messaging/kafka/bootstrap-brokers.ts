import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactoryArgs, KafkaConfig } from 'kafkajs';
import { deliverWholeResponses } from './whole-responses.ts';

/** A broker that accepts a connection must respond within this time; otherwise the next one is used. */
export const FIRST_RESPONSE_TIMEOUT_MS = 3_000;
/** First byte of the response of a port with TLS; a response of Kafka begins with its length, which is below 2^24. */
const TLS_ALERT = 0x15;
const KEEP_ALIVE_MS = 60_000;

/**
 * Makes kafkajs fall back to the next bootstrap broker when the first is unreachable, does not respond or closes the
 * connection without a response. kafkajs alone starts with the first broker each time and stays with one that accepts
 * the connection.
 * @param brokers `host:port` of each; an IPv6 address in brackets
 */
export function bootstrapBrokers(brokers: readonly string[]): Pick<KafkaConfig, 'brokers' | 'socketFactory'> {
  let preferred = [...brokers];
  const moveToEnd = (address: string): void => {
    if (preferred.includes(address)) preferred = [...preferred.filter((broker) => broker !== address), address];
  };
  return {
    // A list of one, because kafkajs otherwise rotates through the list.
    brokers: () => preferred.slice(0, 1).map(escapeIpv6),
    socketFactory: (address) => {
      const host = unescapeIpv6(address.host);
      const socket = openSocket({ ...address, host });
      let hasResponded = false;
      const onFailure = (): void => {
        if (!hasResponded) moveToEnd(`${isIPv6(host) ? `[${host}]` : host}:${address.port}`);
      };
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      // kafkajs has its own handler for the timeout, which treats the broker as unreachable.
      socket.setTimeout(FIRST_RESPONSE_TIMEOUT_MS, () => {
        onFailure();
        socket.destroy();
      });
      socket.once('error', onFailure);
      // After 'end' kafkajs would retry the same broker; after 'error' it asks for another one.
      socket.once('end', () => {
        if (!hasResponded) socket.emit('error', new Error(closedReason(address)));
      });
      socket.once('data', (chunk: Buffer) => {
        if (!(address.ssl as unknown) && chunk[0] === TLS_ALERT) {
          socket.destroy(new Error(closedReason(address)));
          return;
        }
        hasResponded = true;
        socket.setTimeout(0);
      });
      return deliverWholeResponses(socket);
    },
  };
}

/** `[::1]:9092` → `[__1]:9092`, because kafkajs takes what follows the first colon for the port. */
function escapeIpv6(broker: string): string {
  return broker.replace(/^\[.*\]/, (address) => address.replaceAll(':', '_'));
}

/** Also receives the hosts that brokers advertise, which are not escaped. */
function unescapeIpv6(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1).replaceAll('_', ':') : host;
}

/** A broker with TLS closes a connection without TLS, and one without TLS a connection with TLS. */
function closedReason({ ssl }: ISocketFactoryArgs): string {
  const expected = (ssl as unknown) ? 'may not speak TLS' : 'may require TLS (KAFKA_SSL)';
  return `the broker closed the connection without a response: its port ${expected}`;
}

function openSocket({ host, port, ssl, onConnect }: ISocketFactoryArgs): Socket {
  // Contrary to its types, kafkajs passes no `ssl` when TLS is off.
  if (!(ssl as unknown)) return connect({ host, port }, onConnect);
  return connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...ssl }, onConnect);
}

import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ISocketFactoryArgs, KafkaConfig } from 'kafkajs';

/** A broker that takes a connection says its first word within that long, or it counts as not there. */
export const FIRST_WORD_WITHIN_MS = 3_000;
const KEEP_ALIVE_MS = 60_000;

/**
 * Chooses the broker that is asked first, and lets kafkajs ask another one where that one is of no use. By itself kafkajs
 * begins with the first of the list each time, and stays with a broker that takes the connection and then says nothing or
 * hangs up. An IPv6 address stands in brackets.
 */
export function seedsOf(brokers: readonly string[]): Pick<KafkaConfig, 'brokers' | 'socketFactory'> {
  let best = [...brokers];
  const passOver = (address: string): void => {
    if (best.includes(address)) best = [...best.filter((broker) => broker !== address), address];
  };
  return {
    // kafkajs counts through the list by itself: of one alone it can take no other.
    brokers: () => best.slice(0, 1).map(forKafkajs),
    socketFactory: (place) => {
      const host = fromKafkajs(place.host);
      const socket = opened({ ...place, host });
      let hasSpoken = false;
      const givenUp = (): void => {
        if (!hasSpoken) passOver(`${isIPv6(host) ? `[${host}]` : host}:${place.port}`);
      };
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      // kafkajs hears of it too, as of a broker that cannot be reached.
      socket.setTimeout(FIRST_WORD_WITHIN_MS, () => {
        givenUp();
        socket.destroy();
      });
      socket.once('error', givenUp);
      // After an end kafkajs would ask the same one again, after an error it asks another.
      socket.once('end', () => {
        if (!hasSpoken) socket.emit('error', new Error('it hangs up without a word'));
      });
      socket.once('data', () => {
        hasSpoken = true;
        socket.setTimeout(0);
      });
      return socket;
    },
  };
}

/** `[::1]:9092` → `[__1]:9092`: kafkajs takes for the port whatever stands behind the first colon. */
function forKafkajs(broker: string): string {
  return broker.replace(/^\[.*\]/, (address) => address.replaceAll(':', '_'));
}

/** The host as it is connected to; what a broker tells of itself comes by here as well. */
function fromKafkajs(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1).replaceAll('_', ':') : host;
}

function opened({ host, port, ssl, onConnect }: ISocketFactoryArgs): Socket {
  // kafkajs gives no `ssl` where none is wanted, whatever its types say.
  if (!(ssl as unknown)) return connect({ host, port }, onConnect);
  return connectSecurely({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...ssl }, onConnect);
}

import type { Socket } from 'node:net';

/** Size of the length that precedes every response of a broker, in bytes. */
const LENGTH_BYTES = 4;

/**
 * Lets listeners of `data` receive whole responses only. kafkajs keeps the beginning of a response that a closed
 * connection cut off and reads it before the first response of the next connection, which ends the process with a
 * RangeError.
 */
export function deliverWholeResponses(socket: Socket): Socket {
  const on = socket.on.bind(socket) as (event: string, listener: Listener) => Socket;
  return Object.assign(socket, {
    on: (event: string, listener: Listener) => on(event, event === 'data' ? wholeResponses(listener) : listener),
  });
}

type Listener = (data: Buffer) => void;

/** Returns a listener that collects chunks and passes on only whole responses, one or several at a time. */
export function wholeResponses(deliver: Listener): Listener {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let needed = LENGTH_BYTES;
  return (chunk) => {
    chunks.push(chunk);
    buffered += chunk.length;
    if (buffered < needed) return;
    const data = Buffer.concat(chunks);
    let end = 0;
    while (data.length >= end + LENGTH_BYTES && data.length >= endOfResponse(data, end)) end = endOfResponse(data, end);
    const rest = data.subarray(end);
    chunks = [rest];
    buffered = rest.length;
    needed = rest.length < LENGTH_BYTES ? LENGTH_BYTES : endOfResponse(rest, 0);
    if (end > 0) deliver(data.subarray(0, end));
  };
}

function endOfResponse(data: Buffer, start: number): number {
  return start + LENGTH_BYTES + Math.max(0, data.readInt32BE(start));
}

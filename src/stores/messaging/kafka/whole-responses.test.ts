import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { deliverWholeResponses, wholeResponses } from './whole-responses.ts';

/** A response as a broker sends it. */
function responseOf(content: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length);
  return Buffer.concat([length, content]);
}

test('whole responses are delivered in order, however the chunks are split', () => {
  const contents = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(contents, sizes, fc.nat({ max: 30 }), (responses, chunkSizes, cut) => {
      const sent = Buffer.concat(responses.map(responseOf));
      const arrived = sent.subarray(0, Math.max(0, sent.length - cut));
      const delivered: Buffer[] = [];
      const receive = wholeResponses((data) => delivered.push(data));
      for (let start = 0, index = 0; start < arrived.length; index++) {
        const end = start + (chunkSizes[index % chunkSizes.length] ?? 1);
        receive(arrived.subarray(start, end));
        start = end;
      }
      let whole = 0;
      for (const response of responses.map(responseOf)) {
        if (whole + response.length > arrived.length) break;
        whole += response.length;
      }
      expect(Buffer.concat(delivered)).toEqual(arrived.subarray(0, whole));
    }),
  );
});

test('a response that a closed connection cuts off is never delivered', async () => {
  const server = createServer((client) =>
    client.end(Buffer.concat([responseOf(Buffer.from('whole')), Buffer.alloc(6, 1)])),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = deliverWholeResponses(connect((server.address() as AddressInfo).port, '127.0.0.1'));
  const delivered: Buffer[] = [];
  socket.on('data', (data) => delivered.push(data));
  await once(socket, 'close');
  server.close();
  expect(Buffer.concat(delivered)).toEqual(responseOf(Buffer.from('whole')));
});

/**
 * `node test/servers/eventstoredb/main.ts DATA PORT`: the stand-in as a process of its own, which may be stopped and killed
 * by signals. Prints `ready`. Faults are told as lines of JSON on its standard input (README.md beside this file).
 */
import { createInterface } from 'node:readline';

import type { AppendFault, ReadFault, SubscriptionEnd } from './faults.ts';
import { startStandIn } from './stand-in.ts';

/** What a line may ask for. */
interface Order {
  readonly appends?: readonly AppendFault[];
  readonly reads?: readonly ReadFault[];
  readonly notReady?: boolean;
  readonly cut?: boolean;
  readonly endSubscriptions?: SubscriptionEnd;
  readonly dropsSlowReaders?: boolean;
  readonly isMute?: boolean;
  readonly calls?: boolean;
}

const [folder, port] = process.argv.slice(2);
if (folder === undefined || port === undefined) {
  process.stderr.write('Usage: node test/servers/eventstoredb/main.ts DATA PORT\n');
  process.exit(2);
}

const server = await startStandIn(folder, Number(port));
process.stdout.write(`ready ${server.url}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void server.stop().then(() => process.exit(0)));
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as Order;
  if (order.appends !== undefined) server.faults.push(...order.appends);
  if (order.reads !== undefined) server.faults.pushReads(...order.reads);
  if (order.notReady !== undefined) server.faults.notReady = order.notReady;
  if (order.cut === true) server.cut();
  if (order.endSubscriptions !== undefined) server.endSubscriptions(order.endSubscriptions);
  if (order.dropsSlowReaders !== undefined) server.faults.dropsSlowReaders = order.dropsSlowReaders;
  if (order.isMute !== undefined) server.faults.isMute = order.isMute;
  if (order.calls === true) process.stdout.write(`${JSON.stringify(server.faults.calls)}\n`);
}

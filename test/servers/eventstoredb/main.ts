/**
 * Runs the stand-in as a separate process: `node test/servers/eventstoredb/main.ts DATA PORT`. Prints `ready` once it
 * accepts calls. Reads faults as JSON lines from stdin (see README.md in this folder).
 */
import { createInterface } from 'node:readline';

import type { AppendFault, ReadFault, SubscriptionEnd } from './faults.ts';
import { startStandIn } from './stand-in.ts';

/** A line of stdin. */
interface ControlMessage {
  readonly appends?: readonly AppendFault[];
  readonly reads?: readonly ReadFault[];
  readonly notReady?: boolean;
  readonly cut?: boolean;
  readonly endSubscriptions?: SubscriptionEnd;
  readonly dropsSlowReaders?: boolean;
  readonly isSilent?: boolean;
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
  const message = JSON.parse(line) as ControlMessage;
  if (message.appends !== undefined) server.faults.push(...message.appends);
  if (message.reads !== undefined) server.faults.pushReads(...message.reads);
  if (message.notReady !== undefined) server.faults.notReady = message.notReady;
  if (message.cut === true) server.cut();
  if (message.endSubscriptions !== undefined) server.endSubscriptions(message.endSubscriptions);
  if (message.dropsSlowReaders !== undefined) server.faults.dropsSlowReaders = message.dropsSlowReaders;
  if (message.isSilent !== undefined) server.faults.isSilent = message.isSilent;
  if (message.calls === true) process.stdout.write(`${JSON.stringify(server.faults.calls)}\n`);
}

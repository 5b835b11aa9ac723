/**
 * `npm run bench:servers`: measures Surety on servers against the bare driver or client that writes the same bytes to
 * the same server in the same run, and prints a Markdown table. Starts the servers from ../shared/servers; EventStoreDB
 * is a stand-in.
 */
import { Installation } from '../servers/support/installation.ts';
import { benchCommands } from './servers-commands.ts';
import { benchServersImport } from './servers-import.ts';
import { benchDocuments } from './servers-documents.ts';
import { benchServersFeed } from './servers-feed.ts';
import { benchRelay } from './servers-relay.ts';
import { benchRenewals } from './servers-renewals.ts';
import { machine, markdown, rowList } from './table.ts';

const { rows, add } = rowList();
const on = await Installation.start();
try {
  add(await benchRelay(on.kafka.options));
  add(await benchDocuments(on.addresses().MONGODB_URL));
  add(...(await benchCommands(on)));
  add(await benchServersImport(on));
  add(await benchServersFeed(on));
} finally {
  await on.dispose();
}
add(...(await benchRenewals()));
process.stdout.write(`${markdown(rows)}\n\n${machine()}\n`);
process.exit(0);

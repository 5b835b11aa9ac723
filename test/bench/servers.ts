/**
 * `npm run bench:servers`: measures Surety on servers against the bare driver or client that writes the same bytes to the same
 * server in the same run, and prints a Markdown table. Starts the servers from ../shared/servers; EventStoreDB is a stand-in.
 */
import { cpus } from 'node:os';
import { Installation } from '../servers/support/installation.ts';
import { benchCommands } from './servers-commands.ts';
import { benchServersImport } from './servers-import.ts';
import { benchDocuments } from './servers-documents.ts';
import { benchRelay } from './servers-relay.ts';
import { benchRenewals } from './servers-renewals.ts';
import { markdown, type Row } from './table.ts';

const rows: Row[] = [];
const add = (row: Row): void => {
  rows.push(row);
  process.stderr.write(`${row.what}: ${row.surety} / ${row.bare} = ${row.ratio}\n`);
};
const on = await Installation.start();
try {
  add(await benchRelay(on.kafka.options));
  add(await benchDocuments(on.addresses().MONGODB_URL));
  for (const row of await benchCommands(on)) add(row);
  add(await benchServersImport(on));
} finally {
  await on.dispose();
}
for (const row of await benchRenewals()) add(row);
process.stdout.write(`${markdown(rows)}\n\n${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, Node ${process.version}\n`);
process.exit(0);

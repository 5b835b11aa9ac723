/**
 * Forwards connections from a port to a node of a stand-in: `node test/servers/eventstoredb/forward.ts PORT NODE`. A
 * process of its own, so that it can be stopped by SIGSTOP: the kernel then accepts as many connections as the backlog
 * holds, and ignores all others.
 */
import { connect, createServer } from 'node:net';

const host = '127.0.0.1';
const [port, node] = process.argv.slice(2).map(Number);

const server = createServer((client) => {
  const upstream = connect(Number(node), host);
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.setNoDelay().pipe(to);
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
  }
});
server.listen({ port, host, backlog: 64 }, () => process.stdout.write('ready\n'));
// The parent has exited.
process.stdin.resume().on('end', () => process.exit(0));

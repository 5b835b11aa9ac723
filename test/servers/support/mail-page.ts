import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MailServer, parseMail, startMailServer } from '../../support/mail-server.ts';

/** A mail server with a page of its mails, like Mailpit in docker-compose.yml. */
export interface MailPage {
  readonly mails: MailServer;
  /** Base URL; `/view/latest.txt?query=to:ADDRESS` is the newest mail, 404 while there is none. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function startMailPage(): Promise<MailPage> {
  const mails = await startMailServer();
  const page = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page');
    const receiver = searchParams.get('query')?.replace(/^to:/, '') ?? '';
    const newest = mails.received.findLast(({ to }) => to.includes(receiver));
    if (pathname !== '/view/latest.txt' || newest === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(parseMail(newest.raw).text);
  });
  await new Promise<void>((resolve) => {
    page.listen(0, '127.0.0.1', resolve);
  });
  const { port } = page.address() as AddressInfo;
  return {
    mails,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      page.closeAllConnections();
      await new Promise<void>((resolve) => {
        page.close(() => resolve());
      });
      await mails.close();
    },
  };
}

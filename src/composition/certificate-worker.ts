/** The worker thread that makes certificates, one after another. `certificate-thread.ts` starts and terminates it. */
import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { loadFonts } from '../certificate/fonts.ts';
import { renderCertificate } from '../certificate/render-certificate.ts';

if (parentPort === null) throw new Error('certificate-worker runs in a worker thread only');

const fonts = loadFonts();
for await (const [certificate] of on(parentPort, 'message') as AsyncIterable<[string]>) {
  parentPort.postMessage(await renderCertificate(certificate, fonts));
}

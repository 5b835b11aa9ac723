/** The worker thread that makes certificates, one after another. `certificate-thread.ts` starts and terminates it. */
import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { loadFonts } from '#queries/certificate/layout/fonts.ts';
import { renderCertificate } from '#queries/certificate/layout/render-certificate.ts';
import type { CertificateMessage } from './certificate-thread.ts';

if (parentPort === null) throw new Error('certificate-worker runs in a worker thread only');

const fonts = loadFonts();
const certificates = on(parentPort, 'message') as AsyncIterable<[string]>;
post({ kind: 'ready' });
for await (const [certificate] of certificates) {
  const pdf = await renderCertificate(certificate, fonts);
  post(pdf === undefined ? { kind: 'too_large' } : { kind: 'made', pdf });
}

function post(message: CertificateMessage): void {
  parentPort?.postMessage(message);
}

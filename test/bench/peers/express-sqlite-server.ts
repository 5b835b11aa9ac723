/** A plain service with Express, zod and `node:sqlite`: a renewal is one transaction, a `GET` one select. */
import express, { type Response } from 'express';
import { type Answer, PolicyTable, problem, readSeed } from './policy-table.ts';

const [, , port, folder = '', seed = '', key = ''] = process.argv;
const policies = new PolicyTable(`${folder}/policies.db`, readSeed(seed), key);
const app = express();
app.set('etag', false);
app.get('/livez', (_request, response) => void response.json({}));
app.use((request, response, next) => {
  const merchant = policies.merchantOf(request.get('x-api-key'));
  if (merchant === undefined) return send(response, problem(401, 'unknown key'));
  response.locals['merchant'] = merchant;
  next();
});
app.get('/api/v1/policies/:id', (request, response) => {
  send(response, policies.get(request.params.id, String(response.locals['merchant'])));
});
app.post('/api/v1/policies/renew', express.json(), (request, response) => {
  const merchant = String(response.locals['merchant']);
  send(
    response,
    policies.inTransaction(() => policies.renew(request.body, merchant, request.get('idempotency-key'))),
  );
});
app.listen(Number(port), '127.0.0.1');

function send(response: Response, { status, text }: Answer): void {
  response.status(status).type('json').send(text);
}

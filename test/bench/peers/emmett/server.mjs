/**
 * The renewals of the benchmark with emmett's SQLite store, its command handler and an inline projection, behind
 * Express.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CommandHandler, IllegalStateError, InProcessLock, projections } from '@event-driven-io/emmett';
import { getSQLiteEventStore, sqliteConnection } from '@event-driven-io/emmett-sqlite';
import express from 'express';
import { z } from 'zod';

const [, , port, folder, seed, key] = process.argv;
const fileName = `${folder}/emmett.db`;
const reader = sqliteConnection({ fileName });
await reader.command('CREATE TABLE keys (hash TEXT PRIMARY KEY, merchant TEXT NOT NULL) STRICT');
await reader.command(
  'CREATE TABLE policies (id TEXT PRIMARY KEY, merchant TEXT NOT NULL, document TEXT NOT NULL) STRICT',
);
await reader.command('INSERT INTO keys VALUES (?, ?)', [sha256(key), 'bench']);

const policiesProjection = {
  name: 'policies',
  canHandle: ['PolicyImported', 'PolicyRenewed'],
  handle: async (events, { connection }) => {
    for (const { type, data } of events) {
      if (type === 'PolicyImported')
        await connection.command('INSERT INTO policies VALUES (?, ?, ?)', [
          data.policyId,
          data.merchant,
          data.document,
        ]);
      else
        await connection.command(
          "UPDATE policies SET document = json_set(document, '$.renewal_date', ?) WHERE id = ?",
          [`${addDays(data.through, 1)}T00:00:00Z`, data.policyId],
        );
    }
  },
};
const eventStore = getSQLiteEventStore({ fileName, projections: projections.inline([policiesProjection]) });

const evolve = (state, { type, data }) =>
  type === 'PolicyImported' ? { ...data, policy: JSON.parse(data.document) } : { ...state, through: data.through };

const renewPolicy =
  ({ from, days }) =>
  (state) => {
    if (state.through === undefined) throw new IllegalStateError('not found');
    if (from <= state.through) throw new IllegalStateError(`must be after ${state.through}`);
    const premium = ((Math.round(Number(state.policy.premium) * 100) * days) / 365 / 100).toFixed(2);
    const data = {
      policyId: state.policyId,
      from,
      through: addDays(from, days - 1),
      premium,
      recordedAt: new Date().toISOString(),
    };
    return { type: 'PolicyRenewed', data };
  };
const handle = CommandHandler({ evolve, initialState: () => ({}) });
// All commands of a store share one connection and its transaction, so they must not overlap.
const lock = InProcessLock();

/** Tries again when a statement of an earlier command still runs on the connection. */
async function renewOnce(id, command, attempts = 5) {
  try {
    return await lock.withAcquire(async () => await handle(eventStore, `policy-${id}`, renewPolicy(command)), {
      lockId: 'store',
    });
  } catch (error) {
    if (error.code === 'SQLITE_BUSY' && attempts > 1) return await renewOnce(id, command, attempts - 1);
    throw error;
  }
}

for (const { policy_id: policyId, through, document } of JSON.parse(readFileSync(seed, 'utf8')))
  await eventStore.appendToStream(`policy-${policyId}`, [
    { type: 'PolicyImported', data: { policyId, merchant: 'bench', through, document } },
  ]);

const renewal = z.strictObject({
  policy_id: z.uuid(),
  preferred_policy_start_date: z.iso.date(),
  policy_duration: z.int().min(1).max(365),
});
const app = express();
app.set('etag', false);
app.get('/livez', (_request, response) => void response.json({}));
app.use(async (request, response, next) => {
  const hash = sha256(request.get('x-api-key') ?? '');
  const found = await reader.querySingle('SELECT merchant FROM keys WHERE hash = ?', [hash]);
  if (!found) return void response.status(401).json({ detail: 'unknown key' });
  next();
});
app.get('/api/v1/policies/:id', async (request, response) => {
  const found = await reader.querySingle('SELECT document FROM policies WHERE id = ?', [request.params.id]);
  if (!found) return void response.status(404).json({ detail: 'not found' });
  response.type('json').send(found.document);
});
app.post('/api/v1/policies/renew', express.json(), async (request, response) => {
  const parsed = renewal.safeParse(request.body);
  if (!parsed.success) return void response.status(400).json({ detail: z.prettifyError(parsed.error) });
  const { policy_id: id, preferred_policy_start_date: from, policy_duration: days } = parsed.data;
  const { newState } = await renewOnce(id, { from, days });
  response.json(renewed(newState, id, days));
});
app.listen(Number(port), '127.0.0.1');

function renewed({ policy, through }, id, days) {
  const { customer_name, customer_email, customer_phone } = policy.policy_holder;
  return {
    renewal_status: 'success',
    message: 'The policy was renewed',
    data: {
      policy_id: id,
      policy_number: policy.policy_number,
      policy_duration: days,
      policy_metadata: {
        product_name: policy.coverage,
        product_type: policy.policy_type,
        insurer: policy.provider.provider_name,
        customer_name,
        customer_email,
        customer_phone,
        customer_address: null,
        policy_status: policy.status,
        policy_id: id,
        renewable: policy.renewable,
      },
      renewal_date: addDays(through, 1),
    },
  };
}

function addDays(day, days) {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

function sha256(text) {
  return createHash('sha256').update(text).digest('base64');
}

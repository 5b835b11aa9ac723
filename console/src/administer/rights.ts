import type { Choice, Values } from '../actions/schema.ts';
import { mayExecute } from '../actions/commands.ts';
import { collect } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import type { Session } from '../session.ts';

/** Returns what the form of a person or key does not ask for, by its role. */
export function withoutRights({ role }: Values): readonly string[] {
  const isHandler = role === 'insurer' || role === 'claims';
  return [
    ...(role === 'merchant' ? [] : ['short_code']),
    ...(role === 'insurer' ? [] : ['provider_id']),
    ...(isHandler ? [] : ['authority']),
  ];
}

/** Reads the merchants and insurers from which a form chooses, for those who have such a form. */
export function useChoices(session: Session): Readonly<Record<'short_code' | 'provider_id', readonly Choice[]>> {
  const { client } = session;
  const read = useRequest('choices', async (options) => {
    if (!mayExecute(session, 'AddPerson')) return undefined;
    const [merchants, insurers] = await Promise.all([
      collect(client.merchants.list({}, options)),
      collect(client.providers.list({}, options)),
    ]);
    return {
      short_code: merchants.flatMap(({ short_code, name }) =>
        short_code === null ? [] : [{ value: short_code, label: `${name} (${short_code})` }],
      ),
      provider_id: insurers.flatMap(({ id, name, withdrawn_at }) =>
        withdrawn_at === null ? [{ value: id, label: name }] : [],
      ),
    };
  });
  return read.value ?? { short_code: [], provider_id: [] };
}

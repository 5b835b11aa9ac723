import { Command } from '../actions/command.tsx';
import { collect } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { administerTexts as more } from '../texts-administer.ts';
import { ThingPage } from './thing-page.tsx';

/** An insurer, and what an administrator does with it. */
export function InsurerPage({ id, session }: { readonly id: string; readonly session: Session }) {
  const { client, me } = session;
  const state = useRequest(id, async (options) => {
    const modes = me.merchant === null ? [{}, { test_mode: true }] : [{}];
    const lists = await Promise.all(modes.map(async (mode) => await collect(client.providers.list(mode, options))));
    return lists.flat().find((insurer) => insurer.id === id) ?? null;
  });
  return (
    <ThingPage
      list={['insurers', texts.insurers]}
      state={state}
      show={({ name, address, phone_number, is_confirmed, withdrawn_at }) => {
        const isOffered = withdrawn_at === null;
        const shared = { session, about: name, given: { provider_id: id }, isAllowed: isOffered };
        return {
          name,
          status: !isOffered ? 'withdrawn' : is_confirmed ? 'confirmed' : 'waiting',
          facts: { [texts.phone]: phone_number, [texts.address]: address, [texts.id]: <code>{id}</code> },
          actions: (
            <>
              <Command {...shared} name="ConfirmProvider" look="primary" isAllowed={isOffered && !is_confirmed} />
              <Command
                {...shared}
                name="UpdateProvider"
                initial={{ name, address, support_phone: phone_number }}
                notice={<p class="small quiet">{more.unchangedEmpty}</p>}
              />
              <Command {...shared} name="WithdrawProvider" look="danger" notice={<p>{more.insurerWithdraws}</p>} />
            </>
          ),
        };
      }}
    />
  );
}

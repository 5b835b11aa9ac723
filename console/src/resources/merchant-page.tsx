import type { Merchant } from '../../../clients/typescript/src/index.ts';
import { Command } from '../actions/command.tsx';
import { Card } from '../components/card.tsx';
import { Fields } from '../components/values.tsx';
import { MERCHANT_VIEWS } from '../lists/views.ts';
import { type HistoryDownload, readHistory } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { usePointInTimeViews } from './point-in-time.ts';
import { ResourcePage } from './resource-page.tsx';

/** A merchant, and for a platform key the links to its lists. */
export function MerchantPage({ id, session }: { readonly id: string; readonly session: Session }) {
  const { client, me } = session;
  const { current, view } = usePointInTimeViews(
    id,
    async (point, options) => await client.merchants.get(id, point, options),
  );
  const downloadHistory = async (...[accept, options]: Parameters<HistoryDownload>) =>
    await client.merchants.downloadHistory(id, accept, options);
  const history = useRequest(id, async (options) => await readHistory(downloadHistory, options));
  return (
    <ResourcePage
      kind={texts.merchant}
      title={current.value?.resource.name ?? id}
      isTest={undefined}
      zone="UTC"
      current={current}
      view={view}
      history={history}
      apiPath={`/api/v1/merchants/${encodeURIComponent(id)}/`}
      historyDownload={{ name: id, download: downloadHistory }}
      trail={me.merchant === null ? <a href={hrefOf(['merchants'])}>{texts.merchants}</a> : texts.merchant}
      heading={(resource) =>
        me.merchant === null && resource.short_code !== null && <MerchantLists code={resource.short_code} />
      }
      actions={() =>
        current.value !== undefined && <MerchantActions merchant={current.value.resource} session={session} />
      }
      facts={(resource) => (
        <Card>
          <Fields
            fields={{
              [texts.name]: resource.name,
              [texts.shortCode]: resource.short_code,
              [texts.verified]: resource.is_active ? texts.yes : texts.no,
              [texts.kyc]: resource.kyc_verified ? texts.yes : texts.no,
              [texts.email]: resource.business_email,
              [texts.supportEmail]: resource.support_email,
              [texts.address]: resource.address,
              [texts.taxNumber]: resource.tax_identification_number,
              [texts.registrationNumber]: resource.registration_number,
            }}
          />
        </Card>
      )}
    />
  );
}

/** What an administrator does with a merchant, as it is now. */
function MerchantActions({ merchant, session }: { readonly merchant: Merchant; readonly session: Session }) {
  const { name, short_code, is_active, kyc_verified } = merchant;
  const shared = { session, about: `${name}, ${short_code}`, given: { short_code }, guarded: merchant };
  return (
    <>
      <Command {...shared} name="ConfirmKyc" look="primary" isAllowed={!kyc_verified} />
      <Command {...shared} name="ResendVerification" isAllowed={!is_active} />
      <Command {...shared} name="UpdateMerchant" initial={merchant} />
    </>
  );
}

/** Links to the lists of a merchant, for a platform key. */
function MerchantLists({ code }: { readonly code: string }) {
  return (
    <ul class="row links small">
      {Object.entries(MERCHANT_VIEWS).map(([name, [title]]) => (
        <li key={name}>
          <a href={hrefOf([name], { merchant: code })}>{title}</a>
        </li>
      ))}
    </ul>
  );
}

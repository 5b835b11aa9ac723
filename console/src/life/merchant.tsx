import type { HistoryEntry } from '../../../clients/typescript/src/index.ts';
import { MERCHANT_VIEWS } from '../lists/views.ts';
import { jsonLines, useLoaded } from '../load.ts';
import { Fields } from '../parts/values.tsx';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { Life } from './life.tsx';
import { useViews } from './point-in-time.ts';

/** The life of a merchant. */
export function MerchantLife({ id, session: { client, me } }: { readonly id: string; readonly session: Session }) {
  const { current, view } = useViews(id, async (point, options) => await client.merchants.get(id, point, options));
  const history = useLoaded(id, async (options) =>
    jsonLines<HistoryEntry>(await client.merchants.downloadHistory(id, 'application/x-ndjson', options)),
  );
  return (
    <Life
      kind={texts.merchant}
      title={current.value?.name ?? id}
      isTest={undefined}
      zone="UTC"
      current={current}
      view={view}
      history={history}
      apiPath={`/api/v1/merchants/${encodeURIComponent(id)}/`}
    >
      {(shown) => (
        <>
          {me.merchant === null && shown.short_code !== null && <ListsOf code={shown.short_code} />}
          <Fields
            fields={[
              [texts.name, shown.name],
              [texts.shortCode, shown.short_code],
              [texts.verified, shown.is_active ? texts.yes : texts.no],
              [texts.kyc, shown.kyc_verified ? texts.yes : texts.no],
              [texts.email, shown.business_email],
              [texts.supportEmail, shown.support_email],
              [texts.address, shown.address],
              [texts.taxNumber, shown.tax_identification_number],
              [texts.registrationNumber, shown.registration_number],
            ]}
          />
        </>
      )}
    </Life>
  );
}

/** The lists of a merchant, for a key of the platform. */
function ListsOf({ code }: { readonly code: string }) {
  return (
    <ul class="row found">
      {Object.entries(MERCHANT_VIEWS).map(([name, [title]]) => (
        <li key={name}>
          <a href={hrefOf([name], { merchant: code })}>{title}</a>
        </li>
      ))}
    </ul>
  );
}

import { useState } from 'preact/hooks';
import type { Claim, HistoryEntry } from '../../../clients/typescript/src/index.ts';
import { money } from '../format.ts';
import { jsonLines, useLoaded } from '../load.ts';
import { Failure } from '../parts/failure.tsx';
import { Table } from '../parts/table.tsx';
import { Day, Fields, Instant, save, Tag } from '../parts/values.tsx';
import { hrefOf, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { Life } from './life.tsx';
import { useViews } from './point-in-time.ts';

const NDJSON = 'application/x-ndjson';
/** Larger images are shown when asked for. */
const SHOWN_AT_ONCE = 1_048_576;

/** The life of a claim. */
export function ClaimLife({ id, session }: { readonly id: string; readonly session: Session }) {
  const { client } = session;
  const { environment_id } = route.value.query;
  const env = { environment_id };
  const key = JSON.stringify([id, env]);
  const { current, view } = useViews(
    key,
    async (point, options) => await client.claims.get(id, { ...env, ...point, include_blobs: false }, options),
  );
  const history = useLoaded(key, async (options) =>
    jsonLines<HistoryEntry>(await client.claims.downloadHistory(id, NDJSON, env, options)),
  );
  const claim = current.value;
  return (
    <Life
      kind={texts.claim}
      title={claim?.claim_reference_number ?? id}
      isTest={claim?.test_mode}
      zone={claim?.time_zone ?? 'UTC'}
      current={current}
      view={view}
      history={history}
      apiPath={`/api/v1/claims/${encodeURIComponent(id)}/`}
      detail={({ data }) => <PaymentOfEntry data={data} claim={claim} />}
    >
      {(shown) => (
        <>
          <ClaimFields claim={shown} />
          <Payments claim={shown} />
          <Documents claim={shown} session={session} env={env} />
          <Notes claim={shown} />
        </>
      )}
    </Life>
  );
}

function ClaimFields({ claim }: { readonly claim: Claim }) {
  const { currency, claim_details: details, settlement, claimant } = claim;
  return (
    <Fields
      fields={[
        [texts.status, <Tag key="s" name={claim.claim_status} />],
        [
          texts.policy,
          <a key="p" href={hrefOf(['policies', claim.policy])}>
            {claim.policy_number}
          </a>,
        ],
        [
          texts.claimant,
          <a key="c" href={hrefOf(['customers', claimant.customer_id])}>
            <bdi>{claimant.customer_name}</bdi>
          </a>,
        ],
        [texts.insurer, claim.insurer],
        [texts.kind, details.claim_type],
        [
          texts.incident,
          <span key="d">
            <Day of={details.incident_date} /> <bdi>{details.incident_description ?? ''}</bdi>
          </span>,
        ],
        [texts.coverage, details.coverage_name],
        [texts.filed, <Day key="f" of={claim.claim_date} />],
        [texts.claimed, money(claim.claim_amount, currency)],
        [texts.limit, limitOf(claim)],
        [texts.deductible, money(settlement.deductible, currency)],
        [texts.approved, money(settlement.approved_amount, currency)],
        [texts.offer, money(settlement.offer_amount, currency)],
        [texts.paid, money(settlement.paid_amount, currency)],
        [texts.outstanding, money(settlement.outstanding, currency)],
        [texts.resolved, <Day key="r" of={claim.date_resolved} />],
      ]}
    />
  );
}

/** The payment that an entry of the history names. */
function PaymentOfEntry({ data, claim }: { readonly data: HistoryEntry['data']; readonly claim: Claim | undefined }) {
  const payment = claim?.payments.find(({ payment_id }) => payment_id === data?.['payment_id']);
  if (payment === undefined || claim === undefined) return null;
  return (
    <p>
      {texts.payment} {money(payment.amount, claim.currency)} · <Day of={payment.paid_on} />{' '}
      {payment.reversed_on !== null && (
        <span>
          {texts.reversed} <Day of={payment.reversed_on} />
        </span>
      )}
    </p>
  );
}

function Payments({ claim: { payments, currency } }: { readonly claim: Claim }) {
  return (
    <Table
      caption={texts.payments}
      whyEmpty={texts.noPayments}
      rows={payments}
      columns={[
        { title: texts.date, of: ({ paid_on }) => <Day of={paid_on} /> },
        { title: texts.amount, of: ({ amount }) => money(amount, currency), isNumber: true },
        { title: texts.reference, of: ({ reference }) => reference ?? '–' },
        { title: texts.reversed, of: ({ reversed_on }) => <Day of={reversed_on} /> },
      ]}
    />
  );
}

interface DocumentsProps {
  readonly claim: Claim;
  readonly session: Session;
  readonly env: { readonly environment_id: string | undefined };
}

function Documents({ claim, session, env }: DocumentsProps) {
  return (
    <section>
      <h2>{texts.documents}</h2>
      {claim.documents.length === 0 && <p class="quiet">{texts.noDocuments}</p>}
      {claim.documents.map((document) => (
        <ClaimDocument key={`${document.sha256} ${document.uploaded_at}`} {...{ claim, document, session, env }} />
      ))}
    </section>
  );
}

function ClaimDocument({
  claim,
  document,
  session,
  env,
}: DocumentsProps & { readonly document: Claim['documents'][number] }) {
  const { document_name: name, content_type: type, size, sha256 } = document;
  const isImage = type === 'image/png' || type === 'image/jpeg';
  const [isAsked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>();
  const read = async (): Promise<Blob> => {
    const response = await session.client.claims.downloadDocument(claim.claim_id, sha256, env);
    return new Blob([await response.arrayBuffer()], { type: isImage ? type : 'application/octet-stream' });
  };
  return (
    <figure>
      <figcaption>
        <bdi>{name}</bdi>{' '}
        <span class="quiet">
          {texts.bytes(size)}, <Instant at={document.uploaded_at} zone={claim.time_zone} />
        </span>{' '}
        <button
          type="button"
          onClick={() =>
            void read()
              .then((blob) => save(name, blob))
              .catch(setError)
          }
        >
          {texts.download}
        </button>
        {isImage && size > SHOWN_AT_ONCE && !isAsked && (
          <button type="button" onClick={() => setAsked(true)}>
            {texts.show}
          </button>
        )}
      </figcaption>
      {error !== undefined && <Failure error={error} />}
      {isImage && (size <= SHOWN_AT_ONCE || isAsked) && <Picture name={name} read={read} sha256={sha256} />}
    </figure>
  );
}

function Picture({
  name,
  read,
  sha256,
}: {
  readonly name: string;
  readonly read: () => Promise<Blob>;
  readonly sha256: string;
}) {
  const loaded = useLoaded(sha256, async () => URL.createObjectURL(await read()));
  return loaded.value === undefined ? null : (
    <img src={loaded.value} alt={name} onLoad={() => URL.revokeObjectURL(loaded.value ?? '')} />
  );
}

/** A limit is known once the coverage is. */
function limitOf({ claim_details, settlement, currency }: Claim): string | null {
  if (settlement.limit !== null) return money(settlement.limit, currency);
  return claim_details.coverage_name === null ? null : texts.noLimit;
}

function Notes({ claim: { note_entries, notes, time_zone } }: { readonly claim: Claim }) {
  return (
    <section>
      <h2>{texts.notes}</h2>
      {note_entries.length === 0 && notes === null && <p class="quiet">{texts.noNotes}</p>}
      {notes !== null && (
        <p class="note">
          <bdi>{notes}</bdi>
        </p>
      )}
      <ul>
        {note_entries.map(({ at, by, text }) => (
          <li key={`${at} ${text}`}>
            <Instant at={at} zone={time_zone} /> <bdi class="quiet">{by}</bdi>
            <p class="note">
              <bdi>{text}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

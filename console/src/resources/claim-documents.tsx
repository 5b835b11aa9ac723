import { useEffect, useState } from 'preact/hooks';
import type { CallOptions, Claim } from '../../../clients/typescript/src/index.ts';
import { Card } from '../components/card.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { LoadStatus } from '../components/load-status.tsx';
import { formatMinute } from '../format.ts';
import { useRequest } from '../requests/use-request.ts';
import { texts } from '../texts.ts';
import { claimTexts } from '../texts-claims.ts';
import { ClaimCommand, type ClaimWorkProps } from './claim-actions.tsx';

/** Larger images load on request. */
const MAX_AUTOLOAD_BYTES = 1_048_576;
/** A page shows no other types: they could hold markup. */
const IMAGE_TYPES = ['image/png', 'image/jpeg'];
const PDF_TYPE = 'application/pdf';

interface ClaimDocumentsProps extends ClaimWorkProps {
  readonly environment: { readonly environment_id: string | undefined };
}

export function ClaimDocuments(props: ClaimDocumentsProps) {
  const { claim, session } = props;
  const { documents } = claim;
  return (
    <Card title={texts.documents} aside={<ClaimCommand claim={claim} session={session} name="AddClaimDocuments" />}>
      {documents.length === 0 && <p class="quiet">{texts.noDocuments}</p>}
      <div class="docs">
        {documents.map((document) => (
          <ClaimDocument key={`${document.sha256} ${document.uploaded_at}`} {...props} document={document} />
        ))}
      </div>
    </Card>
  );
}

interface ClaimDocumentProps extends ClaimDocumentsProps {
  readonly document: Claim['documents'][number];
}

function ClaimDocument({ claim, document, session, environment }: ClaimDocumentProps) {
  const { content_type: type, size, sha256, uploaded_at } = document;
  const name = withVisibleControls(document.document_name);
  const isImage = IMAGE_TYPES.includes(type);
  const [isRequested, setRequested] = useState(size <= MAX_AUTOLOAD_BYTES);
  const read = async (options?: CallOptions): Promise<Response> =>
    await session.client.claims.downloadDocument(claim.claim_id, sha256, environment, options);
  return (
    <figure class="doc">
      <figcaption>
        <span class="thumb" aria-hidden="true">
          {(type.split('/')[1] ?? '').slice(0, 4).toUpperCase()}
        </span>
        <span>
          <bdi>{name}</bdi>
          <br />
          <span class="quiet small">
            {texts.bytes(size)} · {formatMinute(uploaded_at, claim.time_zone)}
          </span>
        </span>
        {type === PDF_TYPE && <DownloadButton label={claimTexts.open} name={name} read={read} type={type} />}
        <DownloadButton label={texts.download} name={name} file={name} read={read} type="application/octet-stream" />
        {isImage && !isRequested && (
          <button type="button" aria-label={`${texts.show} ${name}`} onClick={() => setRequested(true)}>
            {texts.show}
          </button>
        )}
      </figcaption>
      {isImage && isRequested && <Picture name={name} type={type} sha256={sha256} read={read} />}
    </figure>
  );
}

interface PictureProps {
  readonly name: string;
  readonly type: string;
  readonly sha256: string;
  readonly read: (options: CallOptions) => Promise<Response>;
}

function Picture({ name, type, sha256, read }: PictureProps) {
  const content = useRequest(sha256, async (options) => {
    return new Blob([await (await read(options)).arrayBuffer()], { type });
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (content.value === undefined) return;
    const created = URL.createObjectURL(content.value);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [content.value]);
  return (
    <>
      <LoadStatus state={content} />
      {url !== undefined && <img src={url} alt={name} />}
    </>
  );
}

/** Characters that turn the direction of writing could make `exe.jpg` of `gpj.exe`. */
function withVisibleControls(name: string): string {
  return name.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

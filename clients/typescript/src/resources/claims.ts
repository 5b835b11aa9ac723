import type { Api, DownloadFormat, DownloadQuery, ListOptions } from '../api.ts';
import type { Claim, HistoryEntry } from '../api-types.ts';
import type { CallOptions, ChangeOptions, CommandOptions } from '../http.ts';
import type { Body, Form, Query } from '../operation-types.ts';

/** Operations on claims. A parameter `id` takes the reference too. */
export class Claims {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Files a claim, with documents as files, or as base64. */
  async submit(body: Body<'/api/v1/claims'> | Form<'/api/v1/claims'>, options?: CommandOptions): Promise<Claim> {
    return await this.#api.send(['post', '/api/v1/claims'], {}, withFiles(body), options);
  }

  /** Gets a claim; without `include_blobs: false` with the contents of its documents, base64. */
  async get(id: string, query?: Query<'/api/v1/claims/{id}/'>, options?: CallOptions): Promise<Claim> {
    return await this.#api.get('/api/v1/claims/{id}/', { id }, query, options);
  }

  /** Lists the claims that the key may see, by the day of filing. */
  list(query?: Query<'/api/v1/claims'>, options?: ListOptions) {
    return this.#api.list('/api/v1/claims', {}, query, options);
  }

  /** Adds documents, as files or as base64. */
  async addDocuments(
    id: string,
    body: Body<'/api/v1/claims/{id}/documents/'> | Form<'/api/v1/claims/{id}/documents/'>,
    options?: ChangeOptions,
  ): Promise<Claim> {
    return await this.#api.send(['post', '/api/v1/claims/{id}/documents/'], { id }, withFiles(body), options);
  }

  /** Opens a document as a stream. */
  async downloadDocument(
    id: string,
    sha256: string,
    query?: Query<'/api/v1/claims/{id}/documents/{sha256}'>,
    options?: CallOptions,
  ): Promise<Response> {
    const path = '/api/v1/claims/{id}/documents/{sha256}';
    return await this.#api.download(path, { id, sha256 }, query, { ...options, accept: '*/*' });
  }

  /** Accepts the open offer. */
  async acceptOffer(id: string, options?: ChangeOptions): Promise<Claim> {
    return await this.#api.send(['post', '/api/v1/claims/{id}/offer/accept/'], { id }, {}, options);
  }

  /** Rejects the open offer. */
  async rejectOffer(
    id: string,
    body: Body<'/api/v1/claims/{id}/offer/reject/'>,
    options?: ChangeOptions,
  ): Promise<Claim> {
    return await this.#api.send(['post', '/api/v1/claims/{id}/offer/reject/'], { id }, body, options);
  }

  /** Withdraws a claim. */
  async withdraw(id: string, body: Body<'/api/v1/claims/{id}/withdraw'>, options?: ChangeOptions): Promise<Claim> {
    return await this.#api.send(['post', '/api/v1/claims/{id}/withdraw'], { id }, body, options);
  }

  /** Adds a note, which the merchant and the platform read. */
  async addNote(id: string, body: Body<'/api/v1/claims/{id}/notes'>, options?: ChangeOptions): Promise<Claim> {
    return await this.#api.send(['post', '/api/v1/claims/{id}/notes'], { id }, body, options);
  }

  /** Lists the history of a claim, from its first event on. */
  history(
    id: string,
    query?: Query<'/api/v1/claims/{id}/history/'>,
    options?: ListOptions,
  ): AsyncGenerator<HistoryEntry> {
    return this.#api.list('/api/v1/claims/{id}/history/', { id }, query, options);
  }

  /** Opens the whole history as a stream. */
  async downloadHistory(
    id: string,
    accept: DownloadFormat,
    query?: DownloadQuery<'/api/v1/claims/{id}/history/'>,
    options?: CallOptions,
  ): Promise<Response> {
    return await this.#api.download('/api/v1/claims/{id}/history/', { id }, query, { ...options, accept });
  }
}

/** Returns a form if the documents are files, so that they are sent as they are. */
function withFiles<T extends object>(body: T): Exclude<T, { documents?: Blob[] }> | FormData {
  const { documents = [] } = body as { readonly documents?: readonly unknown[] };
  if (!documents.some((document) => document instanceof Blob)) return body as Exclude<T, { documents?: Blob[] }>;
  const form = new FormData();
  for (const [name, value] of Object.entries(body).filter(([, value]) => value !== undefined)) {
    for (const part of Array.isArray(value) ? (value as unknown[]) : [value as unknown]) {
      if (part instanceof Blob) form.append(name, part);
      else form.append(name, typeof part === 'string' ? part : JSON.stringify(part));
    }
  }
  return form;
}

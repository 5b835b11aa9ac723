import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

type Claims = Readonly<Record<string, unknown>>;

/** What the issuer answers next in place of what is right. */
export interface Forgery {
  /** Members of the ID token. */
  readonly claims?: Claims;
  readonly header?: Claims;
  readonly signedBy?: 'other key' | 'client secret' | 'none';
  /** Members of the metadata of the issuer. */
  readonly metadata?: Claims;
  /** Replaces the answer of the token endpoint. */
  readonly answer?: { readonly status: number; readonly body: object };
}

/** An issuer of OpenID Connect that answers what a test wants. `test/api/sign-in.test.ts` uses a real one too. */
export interface FakeIssuer {
  readonly url: string;
  forgery: Forgery;
  /** The nonce of the last request, as the page of the issuer got it. */
  nonce: string;
  readonly close: () => void;
}

export const CLIENT_ID = 'surety';
export const SECRET_OF_CLIENT = 'secret-of-the-client';

export async function startFakeIssuer(): Promise<FakeIssuer> {
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer.url);
    const answer = (body: object, status = 200): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    if (pathname === '/jwks')
      answer({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key', use: 'sig', alg: 'RS256' }] });
    else if (pathname === '/token') {
      const {
        answer: other = { status: 200, body: { access_token: 'a', token_type: 'bearer', id_token: idToken() } },
      } = issuer.forgery;
      answer(other.body, other.status);
    } else
      answer({
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
        jwks_uri: `${issuer.url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...issuer.forgery.metadata,
      });
  });
  const issuer = { url: '', forgery: {} as Forgery, nonce: '', close: () => void server.close() };
  const idToken = (): string => {
    const { claims = {}, header = {}, signedBy } = issuer.forgery;
    const now = Math.floor(Date.now() / 1_000);
    const right = { iss: issuer.url, aud: CLIENT_ID, sub: 'ada', iat: now, exp: now + 60, nonce: issuer.nonce };
    const parts = [
      { alg: 'RS256', kid: 'key', ...header },
      { ...right, email_verified: true, ...claims },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    if (signedBy === 'none') return `${text}.`;
    if (signedBy === 'client secret')
      return `${text}.${createHmac('sha256', SECRET_OF_CLIENT).update(text).digest('base64url')}`;
    const key = signedBy === 'other key' ? otherKey : privateKey;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return issuer;
}
